/**
 * Milliseconds since it was made, for what must not happen after a while: the larger advance of the monotonic and the wall clock.
 * The monotonic clock may stand still while a machine is paused; a wall clock may be set back, which lengthens nothing here. One
 * that is set ahead ends the time too soon.
 */
export function elapsedMeter(): () => number {
  const startedAt = performance.now();
  const startedAtMs = Date.now();
  return () => Math.max(performance.now() - startedAt, Date.now() - startedAtMs);
}
