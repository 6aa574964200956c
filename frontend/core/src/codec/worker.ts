/** Decodes tiles: one kernel, one bounded cache of parents. */
import { ChainDecoder } from "./chainDecoder";
import { loadKernel } from "./kernel";
import { serve } from "./serving";

serve(async (module, budget) => {
  const kernel = await loadKernel(module);
  return { kernel, decoder: new ChainDecoder(kernel, budget) };
});
