// node test/notebook.mjs ADDRESS [PICTURE]: a notebook on its server, in a real browser. Its first cell is run; the page that the cell shows
// stands in the notebook and moves. PICTURE: a screenshot of it. Exits 77 (skipped) where there is no browser.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { browser as launch } from "../chromium.mjs";

const [address, picture] = process.argv.slice(2);
const { browser, missing } = await launch();
if (!browser) {
  console.log(`skipped: ${missing}`);
  process.exit(77);
}
after(() => browser.close());

const readout = (page) => page.locator(".run .readout").first().textContent();
/// What the fields look like once they are drawn.
const pixels = (page) =>
  page.locator("canvas.grid").evaluate((canvas) => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(canvas.toDataURL())))));

test("a run that is the last line of a cell is its page", async (t) => {
  const tab = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
  const wrong = [];
  const ours = (place) => place.startsWith("about:srcdoc"); // the notebook's own complaints are its own
  tab.on("console", (message) => ours(message.location().url) && ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  tab.on("pageerror", (error) => wrong.push(error.message));
  tab.on("request", (request) => {
    const inside = request.frame() !== tab.mainFrame();
    if (inside && !/^(data|blob|about):/.test(request.url())) wrong.push(`requested ${request.url()}`);
  });
  await tab.goto(address);
  await tab.waitForFunction(() => window.Jupyter?.notebook?.kernel?.is_connected(), null, { timeout: 60_000 });

  const cell = tab.locator(".code_cell").first();
  await cell.locator(".input_area").click();
  await tab.keyboard.press("Shift+Enter");
  const frame = cell.locator("iframe");
  await frame.waitFor({ timeout: 60_000 });
  await frame.scrollIntoViewIfNeeded(); // it is loaded when it comes into sight
  const page = frame.contentFrame();
  await page.locator("html[data-ready]").waitFor({ timeout: 20_000 });

  await t.test("slider and fields are in sight at once", async () => {
    const place = await frame.boundingBox();
    assert.ok(place.width > 900 && place.height > 600, JSON.stringify(place));
    const [slider, grid] = [await page.locator("#time").boundingBox(), await page.locator("canvas.grid").boundingBox()];
    assert.ok(slider.y >= place.y && grid.y + 200 < place.y + place.height, `slider at ${slider.y}, fields at ${grid.y} of ${place.y} to ${place.y + place.height}`);
    const across = await page.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
    assert.equal(across, 0, "nothing to scroll sideways");
  });

  await t.test("the slider scrubs all fields", async () => {
    const end = await pixels(page);
    assert.match(await readout(page), /^20 units at step 3,?000, 11 of them localized$/);
    if (picture) {
      await cell.evaluate((element) => element.querySelector("iframe").scrollIntoView({ block: "end" }));
      await tab.screenshot({ path: picture });
    }
    const slider = page.locator("#time");
    const { width, height } = await slider.boundingBox();
    await slider.click({ position: { x: width / 10, y: height / 2 } });
    assert.ok((await pixels(page)) !== end);
    const step = Number(/^20 units at step ([\d,]+), \d+ of them localized$/.exec(await readout(page))[1].replace(",", ""));
    assert.ok(step >= 100 && step <= 500, `step ${step}, a tenth of 3000`);
    await slider.press("End");
    assert.ok((await pixels(page)) === end, "and back");
  });

  assert.deepEqual(wrong, []);
});
