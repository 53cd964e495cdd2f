/** Replaces an error of a listener with one sentence that names the setting to change. Returns other errors unchanged. */
export function listenProblem(error: unknown, host: string, port: number, setting: string): unknown {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use by another program; set ${setting} to a free one.`,
    EACCES: `This user may not listen on port ${port} of ${host}; set ${setting} to another one.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; set ${setting === 'OPS_PORT' ? 'OPS_HOST' : 'HOST'} to one that is.`,
  };
  const problem = problems[(error as NodeJS.ErrnoException).code ?? ''];
  return problem === undefined ? error : new Error(problem, { cause: error });
}
