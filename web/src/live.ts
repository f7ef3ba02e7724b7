// A page whose runs are still training: asks its server for the data block again and again and hands it on.
//
// The data block has `live: { url, every, steps, finished }` (src/sluice/figure/page_data.hpp): `url`, relative to the page, answers
// with the data block as it is then. The block that is finished, or has no `live`, is the last.
import { type Live, type PageData, readPage } from "./data.ts";
import { element, shown } from "./dom.ts";

const slowest = 15_000; // milliseconds between two tries of a lost connection

/// "live, step 1,250 of 5,000"; of several runs, "live, 3 runs, step 1,250 of 5,000": that of the one least advanced
export function liveText(runs: { step: number[] }[], steps = 0): string {
  const at = runs.length > 0 ? Math.min(...runs.map(({ step }) => step[step.length - 1] ?? 0)) : 0;
  return `live, ${runs.length > 1 ? `${runs.length} runs, ` : ""}step ${shown(at)}${steps > 0 ? ` of ${shown(steps)}` : ""}`;
}

export class LiveBadge {
  readonly box = element("span", { className: "live", role: "status" });
  private text = "";

  constructor(
    private live: Live,
    first: PageData,
    private readonly take: (data: PageData) => void,
  ) {
    this.say("on", liveText(first.runs, live.steps));
    if (live.finished) this.say("finished", "finished");
    else this.later(live.every);
  }

  private say(state: string, text: string): void {
    this.box.dataset.state = state;
    this.box.textContent = text;
  }

  private later(wait: number): void {
    setTimeout(() => this.ask(wait), wait);
  }

  private async ask(waited: number): Promise<void> {
    try {
      const answer = await fetch(new URL(this.live.url, document.baseURI), { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      const text = await answer.text();
      const data = await readPage(text);
      if (text !== this.text) this.take(data); // nothing new: nothing is drawn
      this.text = text;
      if (!data.live || data.live.finished) return this.say("finished", "finished");
      this.live = data.live;
      this.say("on", liveText(data.runs, data.live.steps));
      this.later(data.live.every);
    } catch {
      this.say("lost", "connection lost, trying again");
      this.later(Math.min(slowest, Math.max(this.live.every, 1.5 * waited)));
    }
  }
}
