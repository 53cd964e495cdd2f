import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

type Given = readonly [httpStatus: number, answer: unknown];

/** The first PHP block for integrators: its table and its function. */
const sample = /```php\n([\s\S]*?)```/.exec(readFileSync('docs/guide/orders.md', 'utf8'))![1]!;

/** What the sample does with each answer: run by PHP where the machine has it, else by a port that reads the same table. */
export async function nextStep(given: readonly Given[]): Promise<string[]> {
  return (await inPhp(given)) ?? given.map(portedStep);
}

async function inPhp(given: readonly Given[]): Promise<string[] | undefined> {
  const child = spawn('php', [
    '-r',
    `${sample} echo json_encode(array_map(fn ($one) => nextStep($one[0], $one[1]), json_decode(stream_get_contents(STDIN), true)));`,
  ]);
  const there = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
  });
  if (!there) return undefined;
  child.stdin.end(JSON.stringify(given));
  return JSON.parse(await text(child.stdout)) as string[];
}

const BODY = `
    $said = $httpStatus . ' ' . ($answer['status'] ?? '');
    return NEXT_STEP[$said . ' ' . ($answer['code'] ?? '')] ?? NEXT_STEP[$said] ?? 'ask again';
`;

/** What the port of the sample does with an answer. */
export function portedStep([httpStatus, answer]: Given): string {
  if (!sample.includes(BODY)) throw new Error('The sample has changed: change its port, or install PHP.');
  const table = new Map([...sample.matchAll(/'(\d+ [^']+)' => '([^']+)'/g)].map(([, said, step]) => [said!, step!]));
  const { status = '', code = '' } = answer as { status?: string; code?: string };
  const said = `${httpStatus} ${status}`;
  return table.get(`${said} ${code}`) ?? table.get(said) ?? 'ask again';
}
