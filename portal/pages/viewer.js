// Starts the viewer of the REST reference without requests to other hosts: no fonts, telemetry, proxy or agent.
const place = document.getElementById('reference');

window.Scalar.createApiReference(place, {
  url: '/openapi.json',
  // The page may be served under a different host name than the one in the document.
  servers: [{ url: window.location.origin }],
  authentication: { preferredSecurityScheme: 'token' },
  // Do not store the token of the user.
  persistAuth: false,
  // In production, requests move money, and tokens must stay on servers.
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
