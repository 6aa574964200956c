import { describe, expect, it } from "vitest";
import { isSoftware } from "./renderer";

describe("isSoftware", () => {
  it.each([
    "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)",
    "llvmpipe (LLVM 15.0.6, 256 bits)",
    "Microsoft Basic Render Driver",
    "Apple Software Renderer",
    "softpipe",
  ])("knows %s as the processor", (name) => {
    expect(isSoftware(name)).toBe(true);
  });

  it.each([
    "ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11 vs_5_0 ps_5_0, D3D11)",
    "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)",
    "Apple GPU",
    "Mali-G78",
    "",
  ])("takes %s for a graphics card", (name) => {
    expect(isSoftware(name)).toBe(false);
  });
});
