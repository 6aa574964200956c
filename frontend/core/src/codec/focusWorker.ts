/** Makes tiles with extended depth of field: one kernel that decodes, one that takes bands apart and puts them together. */
import { BandKernel } from "./bandKernel";
import { FocusDecoder } from "./focusDecoder";
import { loadKernel } from "./kernel";
import { serve } from "./serving";

serve(async (module, budget) => {
  const kernel = await loadKernel(module);
  return { kernel, decoder: new FocusDecoder(kernel, await BandKernel.load(module), budget) };
});
