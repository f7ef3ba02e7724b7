// Debian's chromium, driven by playwright-core; nothing is downloaded.
import { existsSync } from "node:fs";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const executable = places.find((place) => place && existsSync(place));

/// The browser, or the reason why there is none.
export async function browser() {
  if (!executable) return { missing: "no chromium: apt-get install chromium" };
  try {
    const { chromium } = await import("playwright-core");
    return { browser: await chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-gpu"] }) };
  } catch (error) {
    return { missing: `chromium does not start: ${String(error.message ?? error).split("\n")[0]}` };
  }
}
