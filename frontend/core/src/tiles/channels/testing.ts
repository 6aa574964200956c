/** Canvases for tests without a browser. */
import { vi } from "vitest";

class FakeImageData {
  constructor(
    readonly data: Uint8ClampedArray,
    readonly width: number,
    readonly height: number,
  ) {}
}

export class FakeCanvas {
  rgba: readonly number[] = [];

  constructor(
    public width: number,
    public height: number,
  ) {}

  getContext() {
    return { putImageData: ({ data }: FakeImageData) => (this.rgba = [...data]) };
  }
}

/** Stands in for the browser's canvases and pictures, as far as mixing uses them. */
export function fakeCanvas(): void {
  vi.stubGlobal("OffscreenCanvas", FakeCanvas);
  vi.stubGlobal("ImageData", FakeImageData);
}
