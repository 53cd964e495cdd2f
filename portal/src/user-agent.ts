/** Markers in `User-Agent`, in order of precedence. Most browsers also send the markers of other browsers for compatibility. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

const MAX_LENGTH = 60;

/**
 * Short name of a client: `Mozilla/5.0 (X11; Linux x86_64) … Chrome/153.0.0.0` → `Chrome on Linux`. Other values are truncated.
 */
export function userAgentName(agent: string): string {
  const nameIn = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([mark]) => agent.includes(mark))?.[1];
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  return browser && system ? `${browser} on ${system}` : agent.slice(0, MAX_LENGTH);
}
