// The frontend's types, which the tests borrow, name files that only its bundler knows.
declare module "*.wasm?url" {
  const url: string;
  export default url;
}
