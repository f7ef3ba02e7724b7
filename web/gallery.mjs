// node gallery.mjs SLUICE FOLDER: pictures of the page for docs/gallery.md, from runs made for them.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { browser as launch } from "./chromium.mjs";

const [program, out] = process.argv.slice(2).map((path) => resolve(path));
const { browser, missing } = await launch();
if (!browser) throw new Error(missing);
const folder = mkdtempSync(join(tmpdir(), "sluice-gallery-"));
mkdirSync(out, { recursive: true });
const sluice = (...words) => execFileSync(program, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

const sizes = { laptop: [1280, 800], projector: [1920, 1080], phone: [390, 844], paper: [794, 1123] }; // paper: A4 at 96 dpi

async function picture(name, page, { size = "laptop", colorScheme = "light", media = "screen", prepare = async () => {} } = {}) {
  const [width, height] = sizes[size];
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(join(folder, page)).href);
  await tab.waitForSelector("html[data-ready]");
  await tab.evaluate(() => document.fonts.ready);
  await tab.emulateMedia({ media });
  if (media === "print") await tab.addStyleTag({ content: "body { padding: 14mm; }" }); // the margins of @page
  await prepare(tab);
  await tab.waitForTimeout(200);
  await tab.screenshot({ path: join(out, `${name}.png`) });
  await context.close();
}

const top = (selector) => (tab) => tab.locator(selector).first().evaluate((element) => scrollTo(0, element.getBoundingClientRect().top + scrollY - 150));
/// The n-th tile, by the keyboard.
const choose = (n) => async (tab) => {
  for (let i = 0; i <= n; ++i) await tab.locator("canvas.grid").first().press("ArrowRight");
  await top(".controls")(tab);
};

sluice("sweep", "localization", "--over", "task.gain=0.01,3,100", "--out", "sweep", "--quiet");
sluice("report", "sweep", "--each");
sluice("run", "populations", "--out", "populations", "--quiet");
sluice("run", "localization", "--set", "task.dim=2", "--set", "task.n=14", "--set", "network.hidden=84", "--out", "torus", "--quiet");
await picture("page-run", "sweep/gain=3/report.html");
await picture("page-unit", "sweep/gain=3/report.html", { prepare: choose(10) });
await picture("page-comparison", "sweep/report.html", { size: "projector", prepare: top(".controls") });
await picture("page-populations-dark", "populations/report.html", {
  colorScheme: "dark",
  prepare: async (tab) => {
    await tab.locator("#sort").selectOption("bias");
    await top(".controls")(tab);
  },
});
await picture("page-map", "sweep/gain=3/report.html", {
  prepare: async (tab) => {
    await tab.locator("#sort").selectOption("position");
    await tab.locator("#look").selectOption("map");
    await tab.locator("#population").selectOption("localized");
    await top(".controls")(tab);
  },
});
await picture("page-torus", "torus/report.html", { prepare: top(".controls") });
await picture("page-curves", "sweep/report.html", { prepare: top("#curves") });
await picture("page-phone", "sweep/gain=3/report.html", { size: "phone", colorScheme: "dark", prepare: top(".controls") });
await picture("page-print", "sweep/gain=3/report.html", { size: "paper", media: "print" });
await browser.close();
rmSync(folder, { recursive: true });
