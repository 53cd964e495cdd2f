/** Replaces a listener error with a sentence that names the setting to change. Returns other errors unchanged. */
export function listenProblem(error: unknown, host: string, port: number, setting: string): unknown {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use by another program. Set ${setting} to a free port.`,
    EACCES: `This user is not allowed to listen on port ${port} of ${host}. Set ${setting} to another port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set ${setting === 'OPS_PORT' ? 'OPS_HOST' : 'HOST'} to an address of this machine.`,
  };
  const problem = problems[(error as NodeJS.ErrnoException).code ?? ''];
  return problem === undefined ? error : new Error(problem, { cause: error });
}
