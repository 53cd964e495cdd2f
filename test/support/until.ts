/** Waits for a condition that another part of the service makes true; throws when it takes longer than `limitMs`. */
export async function until(condition: () => Promise<boolean>, limitMs = 8_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('The condition did not come true in time.');
    await new Promise((resume) => setTimeout(resume, 30));
  }
}
