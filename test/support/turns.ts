/** Counts the turns of the event loop from now until `stop`. */
export function countTurns(): { now: () => number; stop: () => void } {
  let turn = 0;
  let counting = true;
  const count = (): void => {
    turn++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  return { now: () => turn, stop: () => void (counting = false) };
}
