// Starts the viewer of the REST reference. Nothing is asked of another host: no fonts, no telemetry, no proxy, no agent.
const place = document.getElementById('reference');

window.Scalar.createApiReference(place, {
  url: '/openapi.json',
  // the page may be read under another name than that of the document
  servers: [{ url: window.location.origin }],
  authentication: { preferredSecurityScheme: 'token' },
  // a token that somebody pastes is gone with the page
  persistAuth: false,
  // in production a request moves money, and its token belongs on a server
  hideTestRequestButton: place.dataset.environment === 'production',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideModels: true,
  defaultOpenFirstTag: false,
  operationTitleSource: 'path',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
