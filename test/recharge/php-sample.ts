import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

type ResponseInput = readonly [httpStatus: number, answer: unknown, inDoubt?: boolean];

/** The first PHP block of the integration guide: its table and its function. */
const sample = /```php\n([\s\S]*?)```/.exec(readFileSync('docs/guide/orders.md', 'utf8'))![1]!;

/**
 * The action that the sample takes for each response. Runs PHP if it is installed, otherwise a port that reads the same table.
 */
export async function nextStep(inputs: readonly ResponseInput[]): Promise<string[]> {
  return (await inPhp(inputs)) ?? inputs.map(portedStep);
}

async function inPhp(inputs: readonly ResponseInput[]): Promise<string[] | undefined> {
  const child = spawn('php', [
    '-r',
    `${sample} echo json_encode(array_map(fn ($one) => nextStep($one[0], $one[1], $one[2] ?? false), json_decode(stream_get_contents(STDIN), true)));`,
  ]);
  const isInstalled = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
  });
  if (!isInstalled) return undefined;
  child.stdin.end(JSON.stringify(inputs));
  return JSON.parse(await text(child.stdout)) as string[];
}

const UNCERTAIN = `
    return $httpStatus >= 500 || !isset($response[$httpStatus === 200 ? 'status' : 'code']);
`;
const STEP = `
    $result = $httpStatus . ' ' . ($response['status'] ?? '');
    $step = NEXT_STEP[$result . ' ' . ($response['code'] ?? '')] ?? NEXT_STEP[$result] ?? 'retry';
    return $step === 'refund' && $inDoubt && !isset($response['api_request_id']) ? 'retry' : $step;
`;
for (const body of [UNCERTAIN, STEP])
  if (!sample.includes(body)) throw new Error('The sample has changed. Update its port.');

/** The table of the sample: response properties and the action for them. */
export const STEPS = new Map(
  [...sample.matchAll(/'(\d+ [^']+)' => '([^']+)'/g)].map(([, result, step]) => [result!, step!]),
);

interface ResponseBody {
  status?: string;
  code?: string;
  api_request_id?: string;
}

/** Whether the port of the sample treats a response as uncertain. An unreadable response is undefined. */
export function isUncertainResponse(httpStatus: number, body: unknown): boolean {
  const { status, code } = (body ?? {}) as ResponseBody;
  return httpStatus >= 500 || (httpStatus === 200 ? status : code) === undefined;
}

/** The action that the port of the sample takes for a response. */
export function portedStep([httpStatus, body, isUncertain = false]: ResponseInput): string {
  const { status = '', code = '', api_request_id } = (body ?? {}) as ResponseBody;
  const key = `${httpStatus} ${status}`;
  const step = STEPS.get(`${key} ${code}`) ?? STEPS.get(key) ?? 'retry';
  return step === 'refund' && isUncertain && api_request_id === undefined ? 'retry' : step;
}
