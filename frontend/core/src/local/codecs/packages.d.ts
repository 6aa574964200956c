declare module "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs" {
  const factory: (options: { readonly wasmBinary: ArrayBuffer }) => Promise<unknown>;
  export default factory;
}
