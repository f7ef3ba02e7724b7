// node test/browser.mjs SLUICE: pages written by the program, opened from disk in a real browser. Exits 77 (skipped, for
// ctest) where there is none.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { browser as launch } from "../chromium.mjs";
import { writeDigits } from "./digits.mjs";
import { writePhotographs } from "./photographs.mjs";

const program = resolve(process.argv[2]);
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const { browser, missing } = await launch();
if (!browser) {
  console.log(`skipped: ${missing}`);
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "sluice-page-"));
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const sluice = (...words) => execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const set = (settings) => Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
const small = { "network.hidden": 20, "task.n": 24, "dynamics.steps": 400, "probe.every": 10, "probe.samples": 500 };
const run = (out, settings = {}, name = "localization") => sluice("run", name, "--out", out, "--quiet", ...set({ ...small, ...settings }));

/// Opens a page and waits until the viewer stands; fails at the end of the test on an error or a request.
async function open(t, page, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  t.after(() => context.close());
  const tab = await context.newPage();
  const [path, address = ""] = page.split("#");
  const file = pathToFileURL(join(folder, path)).href;
  const wrong = [];
  tab.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text().slice(0, 300)));
  tab.on("pageerror", (error) => wrong.push(error.message));
  tab.on("request", (request) => request.url().split("#")[0] !== file && !/^(data|blob):/.test(request.url()) && wrong.push(`requested ${request.url()}`));
  t.after(() => assert.deepEqual(wrong, []));
  const began = performance.now();
  await tab.goto(address ? `${file}#${address}` : file);
  if (options.javaScriptEnabled !== false) await tab.waitForSelector("html[data-ready]", { timeout: 20_000 });
  return { tab, seconds: (performance.now() - began) / 1000 };
}

const frame = (tab) => tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
async function pixels(tab, selector) {
  await frame(tab);
  return tab.locator(selector).first().evaluate((canvas) => canvas.toDataURL());
}
/// The file behind a menu's entry: its name and its bytes.
async function saved(tab, view, ending) {
  await view.locator("details.save > summary").first().click();
  const [file] = await Promise.all([tab.waitForEvent("download"), view.locator(`.save-${ending}`).first().click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}
const hash = (tab) => tab.evaluate(() => location.hash);
/// Waits until the address holds a word; it follows the state after a moment.
const addressed = (tab, word) => tab.waitForFunction((word) => location.hash.includes(word), word, { timeout: 5000 });

/// The data block of a run's page.
const block = (run) => JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync(join(folder, run, "report.html"), "utf8"))[1]);
/// The key numbers above the views, [name, value] each.
const numbers = (tab) => tab.locator(".numbers > div").evaluateAll((all) => all.map((each) => ["dt", "dd"].map((part) => each.querySelector(part).textContent)));

const readout = (tab) => tab.locator(".run .readout").first().textContent();

test("a run: time, selection, order", async (t) => {
  run("one");
  const { tab } = await open(t, "one/report.html");
  assert.equal(await tab.locator("h1").textContent(), "Non-Gaussian data localizes receptive fields");
  assert.ok(!(await tab.locator("section.static").first().isVisible()), "the viewer takes the place of the figures");
  assert.match(await readout(tab), /^20 units at step 400, \d+ of them localized$/);

  await t.test("the slider scrubs all fields", async () => {
    const end = await pixels(tab, "canvas.grid");
    await tab.locator("#time").fill("3");
    assert.ok((await pixels(tab, "canvas.grid")) !== end);
    assert.match(await readout(tab), /^20 units at step 30, \d+ of them localized$/);
    assert.match(await tab.locator("#curves .u-legend").first().textContent(), /step30loss0\.\d+/, "the curves read the same time");
    await tab.locator("#time").press("End");
    assert.ok((await pixels(tab, "canvas.grid")) === end, "and back");
  });

  await t.test("space plays, arrows move", async () => {
    await tab.locator("h1").click();
    const shows = (step) =>
      tab.waitForFunction((text) => document.querySelector("output.step").textContent === text, step, { timeout: 10_000 });
    await tab.keyboard.press("Home");
    await shows("step 0");
    await tab.keyboard.press("ArrowRight");
    await shows("step 10");
    await tab.keyboard.press("Space");
    await shows("step 400");
  });

  await t.test("a click looks into a unit", async () => {
    assert.ok(!(await tab.locator(".unit").isVisible()));
    const before = await pixels(tab, "canvas.grid");
    await tab.locator("canvas.grid").click({ position: { x: 20, y: 20 } });
    await frame(tab);
    assert.equal(await tab.locator(".unit h3").textContent(), "Unit 0");
    assert.ok((await pixels(tab, "canvas.grid")) !== before, "the tile is framed");
    const evolution = await pixels(tab, "canvas.heat");
    await tab.locator("canvas.grid").press("ArrowRight");
    await frame(tab);
    assert.equal(await tab.locator(".unit h3").textContent(), "Unit 1");
    assert.ok((await pixels(tab, "canvas.heat")) !== evolution);
    assert.match(await tab.locator(".unit .facts").textContent(), /IPR.*peak.*mean frequency.*Gabor fit/s);
    const [grid, panel] = [await tab.locator("canvas.grid").boundingBox(), await tab.locator(".unit").boundingBox()];
    assert.ok(panel.x >= grid.x + grid.width && panel.y < grid.y + 100, "beside the fields, not below them");
    assert.match(await tab.locator(".gate").textContent(), /changes of sign around the ring/);
  });

  await t.test("pointing at a field names its unit", async () => {
    await tab.locator("canvas.grid").hover({ position: { x: 30, y: 20 } });
    assert.match(await tab.locator(".tip").textContent(), /^unit 0IPR 0\.\d+peak at \d+$/);
    assert.match(await tab.locator(".scale").first().textContent(), /^Each tile: → sites 0 to 23, ↑ w within ±0\.\d+$/);
    await tab.locator("h1").hover();
    assert.ok(!(await tab.locator(".tip").isVisible()));
  });

  await t.test("the map of a unit reads out and sets the time", async () => {
    const map = tab.locator("canvas.heat");
    await map.hover({ position: { x: 60, y: 60 } });
    assert.match(await map.locator("xpath=following-sibling::p").textContent(), /^step \d+, site \d+: w = /);
    const before = await tab.locator("output.step").textContent();
    await map.click({ position: { x: 60, y: 60 } });
    await frame(tab);
    assert.notEqual(await tab.locator("output.step").textContent(), before);
    await tab.keyboard.press("Escape");
    await frame(tab);
    assert.ok(!(await tab.locator(".unit").isVisible()));
  });

  await t.test("a click on a curve sets the time", async () => {
    await tab.locator("#curves .u-over").first().click({ position: { x: 5, y: 40 } });
    await frame(tab);
    assert.match(await tab.locator("output.step").textContent(), /^step \d$/);
  });

  await t.test("axes are logarithmic on demand, a drag zooms all curves, a button shows the whole", async () => {
    const loss = tab.locator("#curves .chart").first();
    const before = await pixels(tab, "#curves canvas");
    await loss.locator(".log-y").click();
    await frame(tab);
    assert.equal(await loss.locator(".log-y").getAttribute("aria-pressed"), "true");
    assert.ok((await pixels(tab, "#curves canvas")) !== before);
    await loss.locator(".log-y").click();
    await frame(tab);
    const box = await loss.locator(".u-over").boundingBox();
    const step = await tab.locator("output.step").textContent();
    await tab.mouse.move(box.x + 0.25 * box.width, box.y + 50);
    await tab.mouse.down();
    await tab.mouse.move(box.x + 0.5 * box.width, box.y + 60, { steps: 4 });
    await tab.mouse.up();
    await frame(tab);
    assert.equal(await tab.locator("#curves .whole:visible").count(), await tab.locator("#curves .chart").count());
    assert.equal(await tab.locator("output.step").textContent(), step, "a drag is no click");
    await addressed(tab, "zoom=step:");
    const [from, to] = /zoom=step:([\d.]+):([\d.]+)/.exec(await hash(tab)).slice(1).map(Number);
    assert.ok(Math.abs(from - 100) < 8 && Math.abs(to - 200) < 8, `${from} to ${to} of 0 to 400`);
    await loss.locator(".whole").click();
    await frame(tab);
    assert.equal(await tab.locator("#curves .whole:visible").count(), 0);
    await tab.locator("#smooth").selectOption("7");
    assert.ok((await pixels(tab, "#curves canvas")) !== before);
    await tab.locator("#smooth").selectOption("1");
  });

  await t.test("every view is a file", async () => {
    await tab.locator("#time").press("End");
    await frame(tab);
    const loss = tab.locator("#curves .chart").first();
    const csv = await saved(tab, loss, "csv");
    assert.equal(csv.name, "localization-loss.csv");
    const lines = csv.bytes.toString().trim().split("\n");
    const metrics = readFileSync(join(folder, "one/metrics.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
    assert.equal(lines.length, metrics.length);
    const [step, value] = lines.at(-1).split(",").map(Number);
    assert.equal(step, 400);
    assert.ok(Math.abs(value - Number(metrics.at(-1)[metrics[0].indexOf("loss")])) < 1e-5 * value, "the number of metrics.csv");
    const svg = await saved(tab, loss, "svg");
    assert.match(svg.bytes.toString(), /^<svg xmlns.*Loss, new samples.*<path d="M0/s);
    const png = await saved(tab, loss, "png");
    assert.equal(png.name, "localization-loss.png");
    assert.deepEqual([...png.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.ok(png.bytes.readUInt32BE(16) > 1000, "of enough pixels for a paper");
    const fields = tab.locator(".run");
    const table = await saved(tab, fields, "csv");
    assert.equal(table.name, "localization-fields-step400.csv");
    const rows = table.bytes.toString().trim().split("\n").map((line) => line.split(","));
    assert.equal(rows.length, 21);
    const ipr = (row) => {
      const w = row.slice(rows[0].indexOf("w0")).map(Number);
      return w.reduce((sum, x) => sum + x ** 4, 0) / w.reduce((sum, x) => sum + x * x, 0) ** 2;
    };
    for (const row of rows.slice(1)) assert.ok(Math.abs(ipr(row) - Number(row[rows[0].indexOf("ipr")])) < 0.02, "its weights have its IPR");
    assert.equal((await saved(tab, fields, "svg")).bytes.toString().match(/<g /g).length, 20);
    assert.deepEqual([...(await saved(tab, fields, "png")).bytes.subarray(1, 4)], [0x50, 0x4e, 0x47]);
  });

  await t.test("sort and filter", async () => {
    const plain = await pixels(tab, "canvas.grid");
    await tab.locator("#sort").selectOption("ipr");
    assert.ok((await pixels(tab, "canvas.grid")) !== plain);
    await tab.locator("#population").selectOption("positive peak");
    await frame(tab);
    const positive = Number.parseInt(await readout(tab));
    await tab.locator("#population").selectOption("negative peak");
    await frame(tab);
    assert.equal(positive + Number.parseInt(await readout(tab)), 20);
    await tab.locator("#population").selectOption("localized");
    await tab.locator("#now").check(); // so that the filter and the count are of the same time
    await frame(tab);
    assert.match(await readout(tab), /^(\d+)( of 20)? units at step \d+, \1 of them localized$/);
    await tab.locator("#now").uncheck();
    await tab.locator("#population").selectOption("");
    await tab.locator(".filters summary").click();
    await tab.locator("#position-to").fill("11");
    await frame(tab);
    assert.match(await readout(tab), /^\d+ of 20 units/);
  });

  await t.test("as one map", async () => {
    const curves = await pixels(tab, "canvas.grid");
    await tab.locator("#look").selectOption("map");
    assert.ok((await pixels(tab, "canvas.grid")) !== curves);
    await tab.locator("canvas.grid").hover({ position: { x: 8, y: 5 } });
    await frame(tab);
    assert.match(await readout(tab), /^Site 0, w = .*Unit \d+: (localized, )?IPR/);
  });

  await t.test("the full arrays are one click away", async () => {
    assert.equal(await tab.locator("a.record").getAttribute("href"), "record.npz");
    const download = tab.waitForEvent("download");
    await tab.locator("button.embedded").click();
    assert.equal(statSync(await (await download).path()).size, statSync(join(folder, "one/record.npz")).size);
  });

  await t.test("formulas are set with fonts of the page", async () => {
    assert.ok((await tab.locator(".notation .katex").count()) >= 5);
    assert.equal(await tab.locator(".formula").first().evaluate((formula) => /[@~]/.test(formula.textContent)), false);
    assert.ok(await tab.evaluate(() => document.fonts.check("16px KaTeX_Main") && document.fonts.check("italic 16px KaTeX_Math")));
  });

  await t.test("paper gets the vector figures", async () => {
    await tab.emulateMedia({ media: "print" });
    await frame(tab);
    assert.ok(await tab.locator("section.static svg").first().isVisible());
    assert.ok(!(await tab.locator("canvas.grid").isVisible()));
    await tab.emulateMedia({ media: "screen" });
  });

  await t.test("dark is dark", async () => {
    const light = await pixels(tab, "canvas.grid");
    await tab.emulateMedia({ colorScheme: "dark" });
    assert.ok((await pixels(tab, "canvas.grid")) !== light);
    await tab.locator(".figures > summary").click();
    assert.match(await tab.locator("section.static .card svg").first().evaluate((svg) => getComputedStyle(svg).filter), /invert/, "no white slabs");
    assert.equal(await tab.locator("section.static .files a").first().getAttribute("href"), "figures/receptive_fields.pdf");
    await tab.locator(".figures > summary").click();
  });

  await t.test("how to make it again and how to cite it", async () => {
    const text = await tab.locator("main > section").last().textContent();
    assert.match(text, /Reproduce and cite.*sluice run spec\.toml.*version\d.*seed1.*The sluice authors/s);
  });

  await t.test("a phone does not scroll sideways", async () => {
    await tab.setViewportSize({ width: 390, height: 844 });
    await tab.locator("canvas.grid").scrollIntoViewIfNeeded();
    await tab.locator("#look").selectOption("curves");
    await frame(tab);
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await tab.locator("canvas.grid").click({ position: { x: 20, y: 10 } });
    await frame(tab);
    const sheet = await tab.locator(".unit").boundingBox();
    assert.ok(sheet.y > 300 && sheet.y + sheet.height <= 845 && sheet.width === 390, `a sheet below the fields: ${JSON.stringify(sheet)}`);
    assert.ok((await tab.locator(".bar").boundingBox()).height <= 48);
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
});

test("a finger zooms across and scrolls down", async (t) => {
  run("touched");
  const { tab } = await open(t, "touched/report.html", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const over = tab.locator("#curves .u-over").first();
  await over.scrollIntoViewIfNeeded();
  const finger = await tab.context().newCDPSession(tab);
  const touch = (type, ...points) => finger.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  const drag = async (from, to) => {
    await touch("touchStart", from);
    for (let i = 1; i <= 8; ++i) await touch("touchMove", [0, 1].map((k) => from[k] + (i / 8) * (to[k] - from[k])));
    await touch("touchEnd");
    await frame(tab);
  };
  const zoomed = () => tab.locator("#curves .whole:visible").count();
  const step = await tab.locator("output.step").textContent();
  const box = await over.boundingBox();
  await drag([box.x + 0.25 * box.width, box.y + 50], [box.x + 0.5 * box.width, box.y + 55]);
  assert.equal(await zoomed(), await tab.locator("#curves .chart").count(), "all curves");
  assert.equal(await tab.locator("output.step").textContent(), step, "a drag is no tap");
  await addressed(tab, "zoom=step:");
  const [from, to] = /zoom=step:([\d.]+):([\d.]+)/.exec(await hash(tab)).slice(1).map(Number);
  assert.ok(Math.abs(from - 100) < 12 && Math.abs(to - 200) < 12, `${from} to ${to} of 0 to 400`);

  for (let taps = 0; taps < 2; ++taps) await tab.touchscreen.tap(box.x + 0.5 * box.width, box.y + 50);
  await frame(tab);
  assert.equal(await zoomed(), 0, "a double tap shows the whole");

  const before = await tab.evaluate(() => scrollY);
  await drag([box.x + 0.5 * box.width, box.y + 100], [box.x + 0.5 * box.width, box.y - 100]);
  await tab.waitForFunction((before) => scrollY > before + 50, before, { timeout: 5000 });
  assert.equal(await zoomed(), 0, "a finger that scrolls zooms nothing");
  assert.equal(await tab.locator("#curves .u-select").first().evaluate((select) => select.offsetWidth), 0);
});

test("without scripts the static figures are there, and it says so", async (t) => {
  run("plain");
  const { tab } = await open(t, "plain/report.html", { javaScriptEnabled: false });
  assert.ok(await tab.locator("section.static svg").first().isVisible());
  assert.match(await tab.locator("noscript").textContent(), /Scripts are off/);
});

test("runs side by side", async (t) => {
  run("a", { "task.gain": 0.5 });
  run("b", { "task.gain": 3, "dynamics.steps": 200 });
  sluice("report", "a", "b", "--out", "both.html");
  const { tab } = await open(t, "both.html");
  assert.deepEqual(await tab.locator(".run h3").allTextContents(), ["gain = 0.5, steps = 400", "gain = 3, steps = 200"]);
  await tab.locator("canvas.grid").first().click({ position: { x: 20, y: 20 } });
  await frame(tab);
  assert.equal(await tab.locator(".unit-run:visible").count(), 2, "one unit, in both runs");
  const second = () => tab.locator("canvas.grid").nth(1).evaluate((canvas) => canvas.toDataURL());
  await tab.locator("#time").fill("5");
  await frame(tab);
  const early = await second();
  await tab.locator("#time").fill("15");
  await frame(tab);
  assert.ok((await second()) !== early, "one slider for both");
  assert.match(await tab.locator("#curves .u-legend").first().textContent(), /gain = 0\.5.*gain = 3/);
  await tab.locator(".choose-runs > summary").click();
  await tab.locator(".switch").first().click();
  await frame(tab);
  assert.equal(await tab.locator(".run:visible").count(), 1);
  await tab.locator("main table th").first().press("Enter");
  assert.equal(await tab.locator("main table th").first().getAttribute("aria-sort"), "ascending");
});

test("a sweep opens with every value, in colours of the value", async (t) => {
  sluice("sweep", "localization", "--over", "task.gain=0.1,1,10", "--over", "seed=1..5", "--out", "sweep", "--quiet", ...set({ ...small, "network.hidden": 6, "dynamics.steps": 40 }));
  assert.equal(await (await open(t, "sweep/report.html")).tab.locator(".own-page").count(), 0, "points have no pages before they are asked for");
  sluice("report", "sweep", "--each");
  const { tab } = await open(t, "sweep/report.html");
  assert.deepEqual(await tab.locator(".run:visible h3").allTextContents(), ["gain = 0.1, seed = 1", "gain = 1, seed = 1", "gain = 10, seed = 1"]);
  assert.ok((await tab.locator(".bar").boundingBox()).height <= 48);
  await tab.locator(".choose-runs > summary").click();
  assert.deepEqual(await tab.locator(".run-group .group").allTextContents(), ["gain = 0.1", "gain = 1", "gain = 10"]);
  const swatches = () => tab.locator(".swatch").evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
  const colors = await swatches();
  assert.equal(new Set(colors).size, 15, colors.join(" "));
  await tab.locator(".switch").first().hover();
  assert.deepEqual(await swatches(), colors, "a pointer hides no colour");
  assert.equal(await tab.locator(".chip .own-page").nth(6).getAttribute("href"), "gain%3D1%2Cseed%3D2/report.html");
  assert.ok(statSync(join(folder, "sweep", decodeURIComponent("gain%3D1%2Cseed%3D2/report.html"))).size > 0);
  await tab.locator(".group").nth(2).click();
  await frame(tab);
  assert.equal(await tab.locator(".run:visible").count(), 7, "all seeds of a value at once");
  await addressed(tab, "runs=0.5.10.11.12.13.14");
  await tab.setViewportSize({ width: 390, height: 844 });
  await frame(tab);
  assert.ok((await tab.locator(".bar").boundingBox()).height <= 48, "on a phone, too");
  assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test("the address holds what the reader chose", async (t) => {
  run("link");
  const { tab } = await open(t, "link/report.html");
  await frame(tab);
  assert.equal(await hash(tab), "");
  const entries = await tab.evaluate(() => history.length);
  await tab.locator("#time").fill("5");
  await tab.locator("#sort").selectOption("ipr");
  await tab.locator("#scale").selectOption("own");
  await tab.locator("canvas.grid").click({ position: { x: 20, y: 20 } });
  await tab.locator("#curves .log-y").first().click();
  await addressed(tab, "log=loss:y");
  const unit = await tab.locator(".unit h3").textContent();
  const view = await pixels(tab, "canvas.grid");
  assert.equal(await tab.evaluate(() => history.length), entries, "the way back leads away from the page");
  const look = async (tab) => {
    assert.equal(await tab.locator("output.step").textContent(), "step 50");
    assert.equal(await tab.locator("#sort").inputValue(), "ipr");
    assert.equal(await tab.locator("#scale").inputValue(), "own");
    assert.equal(await tab.locator(".unit h3").textContent(), unit);
    assert.equal(await tab.locator("#curves .log-y").first().getAttribute("aria-pressed"), "true");
    await tab.locator("h1").hover();
    assert.ok((await pixels(tab, "canvas.grid")) === view);
  };
  const link = (await hash(tab)).slice(1);
  await tab.reload();
  await tab.waitForSelector("html[data-ready]");
  await look(tab);
  const other = await open(t, `link/report.html#${link}`);
  await look(other.tab);
  await other.tab.evaluate(() => (location.hash = "#step=100"));
  await other.tab.waitForFunction(() => document.querySelector("output.step").textContent === "step 100");
  assert.ok(!(await other.tab.locator(".unit").isVisible()));
});

test("a run of one unit shows it", async (t) => {
  sluice("run", "flow-one-unit", "--out", "single", "--quiet", ...set({ "dynamics.steps": 40, "probe.every": 10, "probe.samples": 200 }));
  const { tab } = await open(t, "single/report.html");
  assert.equal(await tab.locator("#viewer h2").first().textContent(), "1 unit");
  assert.ok(await tab.locator(".unit").isVisible());
  assert.match(await tab.locator(".unit .u-legend").first().textContent(), /flow/);
  assert.ok((await tab.locator(".unit .u-over").first().boundingBox()).height > 200);
  assert.equal(await tab.locator("canvas.grid").count(), 0);
  assert.ok(!(await tab.locator("#viewer").textContent()).includes("undefined"));
  await tab.keyboard.press("Escape");
  await frame(tab);
  assert.ok(await tab.locator(".unit").isVisible(), "there is nothing else to see");
});

test("a page goes on while its run does", async (t) => {
  run("early", { "dynamics.steps": 200 });
  run("late", { "dynamics.steps": 300 });
  const live = (json, more) => ({ ...json, live: { url: "data.json?token=a", every: 60, steps: 300, ...more } });
  let answer = live(block("early"));
  let asked = 0;
  let broken = false;
  const page = () =>
    readFileSync(join(folder, "early/report.html"), "utf8")
      .replace(/(<script type="application\/json" id="data">).*?(<\/script>)/s, (_, from, to) => from + JSON.stringify(answer).replaceAll("<", "\\u003c") + to)
      .replace("script-src", "connect-src 'self'; script-src");
  const server = createServer((request, response) => {
    if (request.url === "/") return response.end(page());
    ++asked;
    response.statusCode = request.url === "/data.json?token=a" && !broken ? 200 : 503;
    response.end(JSON.stringify(answer));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
  t.after(() => context.close());
  const tab = await context.newPage();
  const wrong = [];
  tab.on("pageerror", (error) => wrong.push(error.message));
  t.after(() => assert.deepEqual(wrong, []));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForSelector("html[data-ready]");
  const badge = (text) => tab.waitForFunction((text) => document.querySelector(".live")?.textContent === text, text, { timeout: 5000 }); // after a reload not there at once
  const shows = (text) => tab.waitForFunction((text) => document.querySelector("output.step").textContent === text, text, { timeout: 5000 });
  await badge("live, step 200 of 300");
  assert.deepEqual(await numbers(tab), block("early").runs[0].facts);
  await tab.evaluate(() => (window.sameDocument = true));
  await tab.locator("#sort").selectOption("ipr");
  await tab.locator("canvas.grid").click({ position: { x: 20, y: 20 } });
  await frame(tab);
  const unit = await tab.locator(".unit h3").textContent();
  await tab.locator("h1").click();

  answer = live(block("late"));
  await badge("live, step 300 of 300");
  await shows("step 300"); // the cursor stood at the end, and follows it
  assert.match(await readout(tab), /at step 300/);
  assert.notDeepEqual(block("late").runs[0].facts, block("early").runs[0].facts);
  assert.deepEqual(await numbers(tab), block("late").runs[0].facts, "the key numbers are those of now");
  assert.match(await tab.locator(".numbers > div", { hasText: "IPR end" }).getAttribute("title"), /^Inverse participation ratio/);
  assert.equal(await tab.locator("#sort").inputValue(), "ipr");
  assert.equal(await tab.locator(".unit h3").textContent(), unit);
  assert.equal(await tab.locator("#time").getAttribute("max"), "30");

  answer = live(block("early"));
  await badge("live, step 200 of 300");
  await tab.locator("#time").fill("5");
  await shows("step 50");
  broken = true;
  await badge("connection lost, trying again");
  broken = false;
  answer = live(block("late"), { finished: true });
  await badge("finished");
  await shows("step 50"); // where the reader was looking
  const before = asked;
  await tab.waitForTimeout(300);
  assert.equal(asked, before, "nobody asks a finished run");
  assert.ok(await tab.evaluate(() => window.sameDocument), "no reload");

  const two = (facts) => live({ ...block("early"), runs: ["a", "b"].map((label) => ({ ...block("early").runs[0], label, facts })) });
  answer = two([["loss", "0.3"]]);
  await tab.reload();
  await badge("live, 2 runs, step 200 of 300");
  assert.equal(await tab.locator(".run-facts").last().textContent(), "loss 0.3");
  answer = two([["loss", "0.2"]]);
  await tab.waitForFunction(() => [...document.querySelectorAll(".run-facts")].every((facts) => facts.textContent === "loss 0.2"), null, { timeout: 5000 });
});

test("a page of sluice watch shows new steps while training goes on", async (t) => {
  const settings = { ...small, "dynamics.steps": 60_000, "probe.every": 500 };
  const training = spawn(program, ["run", "localization", "--out", "watched", "--quiet", ...set(settings)], { cwd: folder, stdio: "ignore" });
  t.after(() => training.kill("SIGKILL"));
  while (!existsSync(join(folder, "watched/spec.toml"))) await new Promise((done) => setTimeout(done, 20));
  const watch = spawn(program, ["watch", "watched", "--json"], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((done) => watch.on("exit", done));
  t.after(() => watch.kill("SIGKILL"));
  const { address } = JSON.parse(await new Promise((done) => watch.stdout.once("data", done)));
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
  t.after(() => context.close());
  const tab = await context.newPage();
  const wrong = [];
  tab.on("pageerror", (error) => wrong.push(error.message));
  t.after(() => assert.deepEqual(wrong, []));
  await tab.goto(address);
  await tab.waitForSelector("html[data-ready]", { timeout: 20_000 }); // until the first checkpoint the page asks for itself again
  await tab.evaluate(() => (window.sameDocument = true));
  const step = async () => Number(/step ([\d,]+) of 60,000/.exec(await tab.locator(".live").textContent())[1].replaceAll(",", ""));
  const first = await step();
  await tab.waitForFunction((first) => {
    const text = document.querySelector(".live").textContent;
    return text === "finished" || Number(/step ([\d,]+)/.exec(text)?.[1].replaceAll(",", "")) > first;
  }, first, { timeout: 20_000 });
  await tab.waitForFunction(() => document.querySelector(".live").textContent === "finished", null, { timeout: 90_000 });
  await tab.waitForFunction(() => document.querySelector("output.step").textContent === "step 60,000", null, { timeout: 5000 });
  assert.ok(await tab.evaluate(() => window.sameDocument), "no reload");
  assert.deepEqual(await numbers(tab), block("watched").runs[0].facts, "the key numbers are those of the end");
  watch.kill("SIGINT");
  assert.equal(await ended, 0);
  assert.ok(!existsSync(join(folder, "watched/.sluice-watched")), "nobody is there any more");
});

// What others may have written into titles, names of folders and labels: text, whatever it looks like.
const hostile = {
  title: `</script><script>window.hacked = "title"</script><title>`,
  question: `"><img src=x onerror="window.hacked = 'question'"> \u202e<!-- ]]>`,
  document: `<svg onload="window.hacked = 'document'"><a href="javascript:window.hacked='link'">here</a>`,
  duration: `&lt;script&gt;window.hacked = "duration"&lt;/script&gt;`,
};
const folderName = `"><img src=x onerror=window.hacked='folder'>`;
const spec = (keys) => Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join("") + readFileSync(join(root, "experiments/notes/localization.toml"), "utf8").replace(/^(title|question|document|duration) = .*\n/gm, "");
/// Everything that can be pressed, pressed; nothing of it was more than text.
async function expectText(tab) {
  for (const each of await tab.locator("button:visible, summary:visible, canvas.grid:visible, h3:visible, .chip:visible").all()) await each.click({ timeout: 1000, trial: false }).catch(() => {});
  await frame(tab);
  const found = await tab.evaluate(() => ({
    hacked: window.hacked,
    made: document.querySelectorAll("img[src='x'], svg[onload], h1 *, .question *").length,
    links: [...document.querySelectorAll("[href]")].map((each) => each.getAttribute("href")).filter((href) => /^\s*javascript:/i.test(href)),
    handlers: [...document.querySelectorAll("*")].filter((each) => [...each.attributes].some(({ name }) => name.startsWith("on"))).length,
  }));
  assert.deepEqual(found, { hacked: undefined, made: 0, links: [], handlers: 0 });
}

test("titles, names and labels that mean harm are text", async (t) => {
  writeFileSync(join(folder, "hostile.toml"), spec(hostile));
  for (const out of [folderName, "other"]) sluice("run", "hostile.toml", "--out", out, "--quiet", ...set(small));
  await t.test("of a run", async (t) => {
    const { tab } = await open(t, `${folderName}/report.html`);
    assert.equal(await tab.locator("h1").textContent(), hostile.title);
    assert.equal(await tab.title(), hostile.title);
    assert.equal(await tab.locator(".question").first().textContent(), hostile.question);
    await expectText(tab);
  });
  await t.test("of runs side by side, named as their folders are", async (t) => {
    sluice("report", folderName, "other", "--out", "hostile.html");
    const { tab } = await open(t, "hostile.html");
    assert.ok((await tab.locator(".run h3").allTextContents()).some((text) => text.includes(folderName)), "a folder is called what it is called");
    await expectText(tab);
  });
  await t.test("of a sweep over them", async (t) => {
    sluice("sweep", "hostile.toml", "--over", `title=${JSON.stringify(hostile.title)},${JSON.stringify(hostile.document)}`, "--out", "hostile-sweep", "--quiet", ...set({ ...small, "dynamics.steps": 20 }));
    const { tab } = await open(t, "hostile-sweep/report.html");
    await expectText(tab);
  });
  await t.test("in a run.json that somebody wrote", async (t) => {
    const path = join(folder, "other/run.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(/"(name|sluice|folder|evaluated_on)": "[^"]*"/g, (_, key) => `"${key}": ${JSON.stringify(hostile.question)}`));
    assert.notEqual(readFileSync(path, "utf8"), text);
    try {
      sluice("report", "other", "--out", "written.html");
    } catch (refused) {
      return assert.match(String(refused.stderr), /^sluice: other\/run\.json: /);
    }
    const { tab } = await open(t, "written.html");
    await expectText(tab);
  });
});

test("a page reaches nobody, whatever would run in it", async (t) => {
  run("alone");
  let asked = 0;
  const server = createServer((_, response) => (++asked, response.end("x")));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  const context = await browser.newContext();
  t.after(() => context.close());
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(join(folder, "alone/report.html")).href);
  await tab.waitForSelector("html[data-ready]");
  const came = await tab.evaluate(async (there) => {
    const add = (name, attributes) => document.body.append(Object.assign(document.createElement(name), attributes));
    const before = document.baseURI;
    document.head.append(Object.assign(document.createElement("base"), { href: there }));
    const based = document.baseURI !== before;
    add("script", { textContent: "window.hacked = 'inline'" });
    add("script", { src: `${there}script` });
    add("img", { src: `${there}image` });
    add("iframe", { src: `${there}frame` });
    add("object", { data: `${there}object` });
    add("link", { rel: "stylesheet", href: `${there}style` });
    add("div", { style: `background: url(${there}background)` });
    navigator.sendBeacon(`${there}beacon`, "x");
    const fetched = await fetch(`${there}fetch`).then(() => true, () => false);
    const pressed = document.createElement("button");
    pressed.setAttribute("onclick", "window.hacked = 'handler'");
    document.body.append(pressed);
    pressed.click();
    const form = Object.assign(document.createElement("form"), { action: `${there}form`, method: "post" });
    document.body.append(form);
    form.submit();
    await new Promise((done) => setTimeout(done, 500));
    return { based, fetched, hacked: window.hacked };
  }, `http://127.0.0.1:${server.address().port}/`);
  assert.deepEqual(came, { based: false, fetched: false, hacked: undefined });
  assert.equal(asked, 0, "nothing was asked for");
});

test("a torus", async (t) => {
  run("torus", { "task.dim": 2, "task.n": 8 });
  const { tab } = await open(t, "torus/report.html");
  const end = await pixels(tab, "canvas.grid");
  await tab.locator("#time").fill("0");
  assert.ok((await pixels(tab, "canvas.grid")) !== end);
  await tab.locator("canvas.grid").click({ position: { x: 20, y: 20 } });
  await frame(tab);
  assert.match(await tab.locator(".unit .facts").textContent(), /site \d+, \d+/);
  await tab.locator("canvas.heat").first().hover({ position: { x: 60, y: 60 } });
  assert.match(await tab.locator(".unit .readout").first().textContent(), /^column \d, row \d: w = /);
});

test("a run that diverged has a page", async (t) => {
  assert.throws(() => run("diverged", { "dynamics.rate": "1e20" }), /diverged/);
  const { tab } = await open(t, "diverged/report.html");
  await tab.locator("canvas.grid").click({ position: { x: 20, y: 20 } });
  await frame(tab);
  assert.match(await tab.locator(".unit .facts").textContent(), /IPR–norm ‖w‖–peaksite –/);
});

const python = (code) => execFileSync("/usr/bin/python3", ["-c", `import numpy as np\n${code}`], { cwd: folder });

test("kernels of convolutions are shown as kernels, in colour where images are", async (t) => {
  python("rng = np.random.default_rng(1); y = np.arange(40) % 2; np.savez('colour.npz', x=(rng.normal(size=(40, 3, 8, 8)) + y[:, None, None, None]).astype('f4'), y=y.astype('f4'))");
  const task = '{kind="dataset",path="colour.npz"}';
  const network = '{kind="deep-gated",layers="convolutional",channels=[6,4]}';
  sluice("run", "localization", "--out", "kernels", "--quiet", ...set({ task, network, "dynamics.rate": 0.05, "dynamics.batch": 20, "dynamics.steps": 40, "probe.every": 10, "probe.watch": "[]" }));
  const { tab } = await open(t, "kernels/report.html");
  assert.match(await tab.locator(".scale").first().textContent(), /^3 × 3 sites in colour/);
  const hues = await tab.locator("canvas.grid").evaluate((canvas) => {
    const scale = devicePixelRatio;
    const [red, green, blue] = canvas.getContext("2d").getImageData(20 * scale, 20 * scale, 1, 1).data;
    return new Set([red, green, blue]).size;
  });
  assert.ok(hues > 1, "three weights at random are not grey");
  await tab.locator("canvas.grid").click({ position: { x: 20, y: 20 } });
  await frame(tab);
  assert.match(await tab.locator(".unit .facts").textContent(), /site [0-2], [0-2] (red|green|blue)/);
  await tab.locator("canvas.heat").first().hover({ position: { x: 60, y: 60 } });
  assert.match(await tab.locator(".unit .readout").first().textContent(), /^column \d, row \d: w = \S+, \S+, \S+ \(red, green, blue\)$/);
  assert.ok(!(await tab.locator("#viewer").textContent()).includes("localized"), "small by construction");
});

test("a run whose inputs lie in no order has curves instead of fields", async (t) => {
  sluice("run", "depth-relu", "--set", "dynamics.steps=40", "--set", "probe.every=10", "--out", "curves", "--quiet");
  const { tab } = await open(t, "curves/report.html");
  assert.equal(await tab.locator("canvas.grid").count(), 0);
  assert.ok((await tab.locator(".chart").count()) >= 2);
  await tab.locator("#time").fill("2");
  await frame(tab);
  assert.match(await tab.locator("#curves .u-legend").first().textContent(), /step20loss/);
});

test("a deep run: no curve twice, titles, and what its loss is of", async (t) => {
  sluice("run", "depth-frg", "--set", "dynamics.steps=40", "--set", "probe.every=10", "--out", "deep", "--quiet");
  const { tab } = await open(t, "deep/report.html");
  const titles = await tab.locator("#curves figcaption > span:first-child").allTextContents();
  assert.ok(titles.includes("Loss, training set") && titles.includes("Error on the training set, ‖e(t)‖/‖e(0)‖"), titles.join("; "));
  assert.ok(!(await tab.locator("main").textContent()).match(/test (set|loss|accuracy)/i), "gates of rows have no test set");
  for (const name of ["learning", "error", "tangent_trace"]) assert.ok(!(await tab.locator(`svg[aria-label="${name}"]`).isVisible()), name);
  assert.ok(await tab.locator('svg[aria-label="tangent_spectrum"]').isVisible(), "not in the viewer");
  assert.match(await tab.locator(".notation").textContent(), /tangent kernel/);
});

test("a Gabor fit of the record is shown as it is", async (t) => {
  run("gabor");
  python(`r = dict(np.load('gabor/record.npz')); shape = r['bias'].shape
for i, name in enumerate(['centre', 'width', 'frequency', 'phase', 'amplitude', 'residual']):
    r['gabor_' + name] = np.full(shape, [7.25, 1.5, 2, 0.5, 1, 0.25][i], dtype=np.float32)
np.savez('gabor/record.npz', **r)`);
  sluice("report", "gabor");
  const { tab } = await open(t, "gabor/report.html");
  await tab.locator("canvas.grid").click({ position: { x: 20, y: 20 } });
  await frame(tab);
  assert.match(await tab.locator(".unit .facts").textContent(), /Gabor fitcentre 7\.25, s = 1\.50, f = 2, φ = 0\.50; leaves 6\.3 % of/);
});

test("K = 300, T = 200, n = 100: below 8 MB, loads within 3 s, scrubs at 30 frames per second", async (t) => {
  run("large", { "network.hidden": 300, "task.n": 100, "dynamics.steps": 199, "probe.every": 1, "probe.samples": 100 });
  assert.ok(statSync(join(folder, "large/report.html")).size < 8e6);
  const { tab, seconds } = await open(t, "large/report.html");
  t.diagnostic(`${(statSync(join(folder, "large/report.html")).size / 1e6).toFixed(2)} MB, ready after ${seconds.toFixed(2)} s`);
  const spent = await tab.evaluate(async () => {
    const slider = document.querySelector("#time");
    let best = Infinity; // of five passes: the machine may have other things to do
    for (let pass = 0; pass < 5; ++pass) {
      const began = performance.now();
      for (let frame = 0; frame < 40; ++frame) {
        slider.value = String(frame * 5);
        slider.dispatchEvent(new Event("input"));
        await new Promise(requestAnimationFrame);
      }
      best = Math.min(best, (performance.now() - began) / 40);
    }
    return best;
  });
  t.diagnostic(`${spent.toFixed(1)} ms per frame`);
  assert.ok(spent < 1000 / 30, `${spent} ms per frame`);
  // Noise does not compress: the largest page there is.
  python("r = dict(np.load('large/record.npz')); w = r['weights']; r['weights'] = np.random.default_rng(1).standard_normal(w.shape).astype(np.float32); np.savez('large/record.npz', **r)");
  sluice("report", "large");
  const size = statSync(join(folder, "large/report.html")).size;
  const noise = await open(t, "large/report.html");
  t.diagnostic(`${(size / 1e6).toFixed(2)} MB, ready after ${noise.seconds.toFixed(2)} s`);
  assert.ok(size > 4e6 && size < 8e6, `${size} bytes`);
  assert.ok(noise.seconds < 3, `${noise.seconds} s`);
  assert.match(await noise.tab.locator(".run .note").textContent(), /of 200 probe times, evenly chosen/);
});

test("every experiment of the catalog has a page that reads on its own", async (t) => {
  const names = sluice("list").split("\n").map((line) => /^(\S+)\s{2,}\S/.exec(line)?.[1]).filter((name) => name && name !== "name" && !name.endsWith(":"));
  assert.ok(names.includes("localization") && names.length >= 10, names.join(" "));
  writeDigits(join(folder, "digits"));
  writePhotographs(join(folder, "photographs"));
  for (const name of names) {
    await t.test(name, async (each) => {
      const few = { "dynamics.steps": 20, "probe.every": 10, "probe.samples": 200 };
      if (sluice("show", name).includes('kind = "mnist"')) few["task.path"] = "digits";
      if (sluice("show", name).includes('kind = "cifar10"')) {
        Object.assign(few, { "task.path": "photographs", "task.samples": "all", "dynamics.batch": 20, "network.channels": "[4,8]", "network.widths": "[10]" });
      }
      if (name === "digits-learned-gates") {
        sluice("run", "digits-relu", "--out", "teacher", "--quiet", ...set(few));
        few["network.gate_init.path"] = "teacher";
      }
      sluice("run", name, "--out", `catalog-${name}`, "--quiet", ...set(few));
      const { tab } = await open(each, `catalog-${name}/report.html`);
      assert.ok((await tab.locator("h1").textContent()).length > 10);
      assert.match(await tab.locator(".question").textContent(), /\?/);
      assert.ok((await tab.locator(".chart canvas").count()) >= 2);
      assert.match(await tab.locator("pre").first().textContent(), /\[task\]/);
    });
  }
});
