import { describe, expect, it } from "vitest";
import { rendered } from "../rendered";
import Markdown from "./Markdown";

const html = (text: string): string => rendered(<Markdown text={text} />);

describe("TO2: the text of a tour", () => {
  it.each([
    ["a script", "<script>alert(1)</script>"],
    ["an image with a handler", '<img src="x" onerror="alert(1)">'],
    ["an address that is a script", "[here](javascript:alert(1))"],
    ["a data address", "[here](data:text/html,<b>)"],
    ["a frame", '<iframe src="https://example.org"></iframe>'],
  ])("holds no %s", (_, text) => {
    expect(html(text)).not.toMatch(/<script|<img|<iframe|javascript:|data:text|<[^>]*onerror/);
  });

  it("opens links in a window that knows nothing of this one", () => {
    const link = html("[atlas](https://example.org/a)");
    expect(link).toContain('href="https://example.org/a"');
    expect(link).toContain('target="_blank"');
    expect(link).toMatch(/rel="noreferrer noopener"/);
  });
});
