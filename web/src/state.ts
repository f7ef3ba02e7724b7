// What the reader has chosen. Everything drawn is a function of it and of the runs.
import type { Arrangement } from "./order.ts";

export interface State {
  step: number; // of the cursor
  unit?: number; // id of the selected unit, in every run that shows it
  arrangement: Arrangement;
  sortNow: boolean; // by the values at the cursor instead of those at the end
  scale: "common" | "now" | "own"; // of the tiles: of all units and times, of all units at this time, of each field
  look: "curves" | "map";
  hidden: Set<number>; // runs that are switched off
  log: Record<string, string>; // by chart: "x", "y", "xy"
  zoom: Record<string, [number, number]>; // by kind of x axis: all charts over the steps are zoomed together
  smooth: number; // points of the moving average over the curves; 1: none
}

export class Store {
  private listeners: (() => void)[] = [];
  private pending = false;

  constructor(readonly state: State) {}

  /// Changes the state; all views are drawn once before the next frame.
  set(change: Partial<State>): void {
    Object.assign(this.state, change);
    this.redraw();
  }

  redraw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.drawNow();
    });
  }

  drawNow(): void {
    for (const listener of this.listeners) listener();
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }
}

/// The last of the ascending steps that is not after `step`; 0 when all are.
export function frameAt(steps: number[], step: number): number {
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (steps[middle] <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}
