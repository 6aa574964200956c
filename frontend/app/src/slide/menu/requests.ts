/** Who asks for the menu of the picture: the right button, the menu key, a finger that stays. */

/** A place of the picture: in CSS pixels of the picture, and of the window. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly clientX: number;
  readonly clientY: number;
  readonly touch: boolean;
}

const LONG = 550; // milliseconds
const STILL = 8; // CSS pixels that a finger may move meanwhile

/** Calls back until the returned function is called. */
export function followMenuRequests(picture: HTMLElement, ask: (place: Place) => void): () => void {
  let press: { readonly id: number; readonly x: number; readonly y: number; readonly timer: number } | null = null;
  let asked = -Infinity; // when a finger asked: some browsers then ask as well
  let stays = false; // the finger that asked is still down
  const placeOf = (clientX: number, clientY: number, touch: boolean): Place => {
    const { left, top } = picture.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top, clientX, clientY, touch };
  };
  const end = (): void => {
    if (press) clearTimeout(press.timer);
    press = null;
  };
  const down = (event: PointerEvent): void => {
    const alone = event.isPrimary && !press;
    stays = false;
    end();
    if (event.pointerType !== "touch" || !alone) return;
    const { clientX, clientY, pointerId } = event;
    const timer = window.setTimeout(() => {
      press = null;
      stays = true;
      asked = performance.now();
      ask(placeOf(clientX, clientY, true));
    }, LONG);
    press = { id: pointerId, x: clientX, y: clientY, timer };
  };
  const move = (event: PointerEvent): void => {
    if (press?.id === event.pointerId && Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL) end();
  };
  /** Its end is no click: that would close the menu, or choose what lies under the finger. */
  const lift = (event: Event): void => {
    if (stays && event.cancelable) event.preventDefault();
    stays = false;
  };
  const menu = (event: MouseEvent): void => {
    event.preventDefault();
    if (performance.now() - asked < LONG) return;
    end();
    const { left, top, width, height } = picture.getBoundingClientRect();
    const byKey = event.button !== 2; // then the browser names a corner of what has the focus
    ask(byKey ? placeOf(left + width / 2, top + height / 2, false) : placeOf(event.clientX, event.clientY, false));
  };
  const handlers = {
    pointerdown: down,
    pointermove: move,
    pointerup: end,
    pointercancel: end,
    touchend: lift,
    contextmenu: menu,
  } as const;
  const options = { capture: true, passive: false };
  for (const [type, handler] of Object.entries(handlers))
    picture.addEventListener(type, handler as EventListener, options);
  return () => {
    end();
    for (const [type, handler] of Object.entries(handlers))
      picture.removeEventListener(type, handler as EventListener, options);
  };
}
