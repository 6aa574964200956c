// Looks at a page's canvas frame by frame, and says when it first showed something, something useful, and all.

/** A frame is useful from here on: PSNR to the last frame, in dB, over every fourth pixel each way. Single nuclei are visible. */
const USEFUL = 26;

/** To be installed before the page's own scripts, beside `window.benchIsSharp` and, where it is not OpenSeadragon's, `window.benchCanvas`, a selector.
 * Frames are kept small and only when they change. */
export function watchFrames() {
  const sheet = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  let frames = [];
  let begin = 0;
  let last = "";
  let sharpFor = 0;
  let sharpFrame = null;
  const look = () => {
    requestAnimationFrame(look);
    keep();
    if (sharpFrame || frames.length === 0) return;
    sharpFor = window.benchIsSharp() ? sharpFor + 1 : 0;
    if (sharpFor > 2) sharpFrame = frames.at(-1); // two frames later it is drawn for sure
  };
  const keep = () => {
    const canvas = document.querySelector(window.benchCanvas ?? ".openseadragon-canvas canvas");
    if (!canvas || canvas.width < 2) return;
    const [width, height] = [canvas.width >> 2, canvas.height >> 2];
    if (sheet.canvas.width !== width || sheet.canvas.height !== height) Object.assign(sheet.canvas, { width, height });
    sheet.imageSmoothingEnabled = false;
    sheet.clearRect(0, 0, width, height);
    sheet.drawImage(canvas, 0, 0, width, height);
    const { data } = sheet.getImageData(0, 0, width, height);
    const grey = new Uint8Array(width * height);
    let sum = 0;
    let blank = 0;
    for (let i = 0, j = 0; j < grey.length; i += 4, j += 1) {
      grey[j] = data[i + 1];
      if (data[i + 3] === 0) blank += 1;
      sum = (Math.imul(sum, 31) + data[i + 1]) | 0;
    }
    const name = `${sum} ${blank}`;
    if (name === last) return;
    last = name;
    frames.push({ at: performance.now() - begin, grey, blank });
    if (frames.length > 400) frames.splice(1, 1);
  };
  requestAnimationFrame(look);
  window.benchFrames = {
    /** From now on; what is drawn already does not count. */
    restart: () => {
      frames = [];
      sharpFor = 0;
      sharpFrame = null;
      begin = performance.now();
    },
    /** When the last change was, in milliseconds since the start. */
    lastChange: () => frames.at(-1)?.at ?? null,
    now: () => performance.now() - begin,
    /** Whether a sharp frame has been drawn. */
    isSharp: () => sharpFrame !== null,
    /** Milliseconds to the first picture, the first useful one, the first sharp one and the last change; and the sharp one's PSNR to the last. */
    times: (useful) => {
      const end = frames.at(-1);
      const first = frames.find(({ blank }) => blank < end.grey.length);
      const likeness = ({ grey, blank }) => {
        if (blank > end.blank || grey.length !== end.grey.length) return 0;
        let error = 0;
        for (let i = 0; i < grey.length; i += 1) error += (grey[i] - end.grey[i]) ** 2;
        return 10 * Math.log10((255 ** 2 * grey.length) / Math.max(error, 1e-9));
      };
      const good = frames.find((frame) => likeness(frame) >= useful);
      return {
        first: first.at,
        useful: good.at,
        sharp: sharpFrame.at,
        all: end.at,
        likeness: Math.min(99, likeness(sharpFrame)),
      };
    },
  };
}

/** The times of what was begun by `restart` (or by opening the page), once the page says that it has finished. */
export async function timesOf(page, finished) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
  );
  await page.waitForFunction(finished, null, { timeout: 120_000, polling: 20 });
  await page.waitForFunction(isStill, null, { timeout: 20_000, polling: 50 });
  return page.evaluate((useful) => window.benchFrames.times(useful), USEFUL);
}

/** A sharp frame has been drawn, and nothing has changed for a while. Runs in the page. */
function isStill() {
  const { now, lastChange, isSharp } = window.benchFrames;
  return isSharp() && lastChange() !== null && now() - lastChange() > 150;
}
