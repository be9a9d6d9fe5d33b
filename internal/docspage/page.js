// Shows the contract of the service that serves this page. Nothing is asked of any other host: the page's policy
// (docspage.go) refuses it, and what would ask is off.
const at = document.getElementById('reference')

Scalar.createApiReference(at, {
  url: at.dataset.url,
  // requests that are tried go to this service, under whatever name it was reached
  servers: [{ url: window.location.origin }],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  persistAuth: true,
  documentDownloadType: 'direct',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})
