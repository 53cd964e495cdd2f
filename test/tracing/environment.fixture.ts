/** Does some work while the process has these environment variables, which the SDK reads directly. */
export async function withEnvironment<T>(variables: Record<string, string>, work: () => Promise<T>): Promise<T> {
  const original = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(variables)) {
      if (original[name] === undefined) delete process.env[name];
      else process.env[name] = original[name];
    }
  }
}
