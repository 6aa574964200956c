/** Canvases for tests without a browser. */
import { vi } from "vitest";

/** What the fake canvas gives instead of a bitmap. */
export interface FakeBitmap {
  readonly width: number;
  readonly height: number;
  readonly rgba: readonly number[];
  readonly close: () => void;
}

class FakeImageData {
  constructor(
    readonly data: Uint8ClampedArray,
    readonly width: number,
    readonly height: number,
  ) {}
}

class FakeCanvas {
  private rgba: readonly number[] = [];

  constructor(
    public width: number,
    public height: number,
  ) {}

  getContext() {
    return { putImageData: ({ data }: FakeImageData) => (this.rgba = [...data]) };
  }

  transferToImageBitmap(): FakeBitmap {
    const { width, height, rgba } = this;
    this.rgba = [];
    return { width, height, rgba, close: () => undefined };
  }
}

/** Stands in for the browser's canvases and pictures, as far as mixing uses them. */
export function fakeCanvas(): void {
  vi.stubGlobal("OffscreenCanvas", FakeCanvas);
  vi.stubGlobal("ImageData", FakeImageData);
}
