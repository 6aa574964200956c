// Shows the contract of this service. A file of its own: the content security policy allows no script in a page.
globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#contract",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "none",
  validatorUrl: null,
});
