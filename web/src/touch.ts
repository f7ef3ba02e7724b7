// Drags across a chart by touch, for which browsers make no mouse events. Where `touch-action: pan-y` is the style of an element, what goes
// up or down scrolls the page: the browser takes it and cancels the pointer.

export interface TouchDrag {
  moves: (from: number, to: number) => void; // pixels from the left edge
  ends: (from: number, to: number) => void;
  cancelled: () => void;
  doubleTap: () => void;
}

const pause = 300; // milliseconds between two taps that are one gesture
const apart = 24; // pixels that a finger misses its first tap by

/// `least`: pixels that a drag has and a tap has not.
export function onTouchDrag(over: HTMLElement, least: number, drag: TouchDrag): void {
  let from: number | undefined;
  let tapped = { at: -Infinity, x: 0 };
  const place = (event: PointerEvent) => {
    const { left, width } = over.getBoundingClientRect();
    return Math.min(Math.max(event.clientX - left, 0), width);
  };
  const cancel = () => {
    if (from !== undefined) drag.cancelled();
    from = undefined;
  };
  const on = (name: "pointerdown" | "pointermove" | "pointerup" | "pointercancel", take: (event: PointerEvent) => void) =>
    over.addEventListener(name, (event) => event.pointerType === "touch" && take(event));
  on("pointerdown", (event) => {
    if (!event.isPrimary) return cancel(); // a second finger: a pinch
    over.setPointerCapture(event.pointerId);
    from = place(event);
  });
  on("pointermove", (event) => {
    if (from !== undefined && Math.abs(place(event) - from) >= least) drag.moves(from, place(event));
  });
  on("pointerup", (event) => {
    if (from === undefined) return;
    const [began, to] = [from, place(event)];
    from = undefined;
    if (Math.abs(to - began) >= least) return drag.ends(began, to);
    drag.cancelled();
    const twice = event.timeStamp - tapped.at < pause && Math.abs(to - tapped.x) < apart;
    tapped = twice ? { at: -Infinity, x: 0 } : { at: event.timeStamp, x: to };
    if (twice) drag.doubleTap();
  });
  on("pointercancel", cancel);
}
