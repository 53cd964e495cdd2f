import { setTimeout as sleep } from 'node:timers/promises';
import { isSilent, type Trial } from './calls.js';
import { idsOf, type Scene, watchOf } from './scene.js';

/** Time from admission to the batcher of postings, including the idempotency check of operations that prepare data. */
const HOLD_DELAY_MS = 120;
/** Time from the response of the provider to the batcher of postings. */
const RESOLUTION_DELAY_MS = 60;
/** Time after which a provider that never responds has certainly read the request. */
const READ_MS = 150;

const isLead = ({ cell }: Trial): boolean => cell.operation === 'lead status';

/** Brings every call of a batch to its point, in an order in which no call prevents another from getting there. */
export async function assembleCalls(scene: Scene): Promise<void> {
  const resolvingTrials = scene.trialsAt('after the response', 'inside T2', 'after T2');
  const orders = resolvingTrials.filter((trial) => !isLead(trial));
  const resolved = scene.trialsAt('after T2');
  const held = scene.trialsAt('before T1', 'after T1');
  const claimTrials = scene.trialsAt('before the claim', 'after the claim');
  scene.lane.watchCalls(scene.allTrials.map(({ text }) => text));
  await scene.victim.api.watch(
    watchOf(scene.allTrials, [
      ['hold:before', [...scene.plugs.hold, ...scene.trialsAt('after T1')]],
      ['claim:before', claimTrials],
      ['resolve:before', [...scene.plugs.resolve, ...resolved]],
      ['unknown:before', orders],
      ['lead:before', scene.trialsAt('after the response').filter(isLead)],
      ['commit:before', resolved.filter(isLead)],
      ['fee:after', scene.trialsAt('lead fee')],
    ]),
  );
  if (resolvingTrials.length > 0) await advanceToResolution(scene, orders);
  await advanceToLeadFee(scene);
  await advanceToProvider(scene, scene.trialsAt('while sending'));
  await advanceToClaim(scene, claimTrials);
  if (held.length > 0) await advanceToHold(scene);
}

/** The money is held and nothing has been sent. Calls that stop after their claim pass it, without receiving the result. */
async function advanceToClaim(scene: Scene, trials: readonly Trial[]): Promise<void> {
  scene.start(trials);
  await scene.each(trials, (trial) => scene.at('claim:before', trial)?.stopped === true);
  await scene.runWithoutReply('claim:before', scene.trialsAt('after the claim'));
}

/**
 * T2: blocks the batcher, so that the responses queue behind it. Then they either run into our locks or commit without a reply.
 */
async function advanceToResolution(scene: Scene, orders: readonly Trial[]): Promise<void> {
  for (const plug of scene.plugs.resolve) {
    scene.start([plug]);
    await scene.each([plug], () => scene.at('resolve:before', plug)?.stopped === true);
  }
  scene.start(orders);
  await scene.each(orders, (trial) => scene.at('answer', trial) !== undefined);
  await sleep(RESOLUTION_DELAY_MS);

  const written = (trial: Trial) => scene.at('resolve:before', trial) ?? scene.at('unknown:before', trial);
  const insideT2 = scene.trialsAt('inside T2');
  if (insideT2.length > 0) {
    await scene.lock(insideT2);
    await scene.go('unknown:before', insideT2);
    await scene.go('resolve:before', scene.plugs.resolve);
    await scene.each(insideT2, async (trial) => {
      const pid = written(trial)?.pid;
      if (pid !== undefined && !scene.blocked.has(pid)) await scene.recordBlocked([pid]);
      return pid !== undefined && scene.blocked.has(pid);
    });
  }
  const after = scene.trialsAt('after T2').filter((trial) => !isLead(trial));
  if (after.length > 0) {
    await scene.go('resolve:before', scene.plugs.resolve);
    await scene.each(after, (trial) => written(trial)?.stopped === true);
    await scene.runWithoutReply('resolve:before', after);
    await scene.runWithoutReply('unknown:before', after);
  }
}

/** Status calls of leads: the transaction that stores the approval and posts the fee. */
async function advanceToLeadFee(scene: Scene): Promise<void> {
  const leads = scene.trialsAt('after the response', 'after T2', 'lead fee').filter(isLead);
  scene.start(leads);
  const gate = (trial: Trial) =>
    ({ 'after the response': 'lead:before', 'after T2': 'commit:before' })[trial.cell.point as string] ?? 'fee:after';
  await scene.each(leads, (trial) => scene.at(gate(trial), trial)?.stopped === true);
  await scene.runWithoutReply('commit:before', scene.trialsAt('after T2').filter(isLead));
}

/** The provider has received the call, and its response is withheld. */
export async function advanceToProvider(scene: Scene, trials: readonly Trial[]): Promise<void> {
  const { provider } = scene.victim;
  provider.hold(trials.map(({ text }) => text));
  scene.start(trials);
  await scene.each(
    trials,
    ({ text, cell }) => provider.hasWithheldResponse(text) || (isSilent(cell.outcome) && provider.calls(text) > 0),
  );
  if (trials.some(({ cell }) => isSilent(cell.outcome))) await sleep(READ_MS);
}

/** T1: blocks the batcher. Calls after T1 pass in one statement without receiving the result; calls before T1 stay behind. */
async function advanceToHold(scene: Scene): Promise<void> {
  for (const plug of scene.plugs.hold) {
    scene.start([plug]);
    await scene.each([plug], () => scene.at('hold:before', plug)?.stopped === true);
  }
  const after = scene.trialsAt('after T1');
  scene.start(after);
  await scene.each(after, (trial) => scene.at('admission:after', trial) !== undefined);
  await sleep(HOLD_DELAY_MS);
  if (after.length > 0) {
    await scene.go('hold:before', scene.plugs.hold.slice(0, 1));
    await scene.each(after, (trial) => scene.at('hold:before', trial)?.stopped === true);
    await scene.runWithoutReply('hold:before', after);
  }

  const beforeT1 = scene.trialsAt('before T1');
  scene.start(beforeT1);
  await scene.each(beforeT1, (trial) => scene.at('admission:after', trial) !== undefined);
  await sleep(HOLD_DELAY_MS);
}

/**
 * Sweeper cells: the process is killed while the provider has the calls. Its successor finds the orders when their leases have
 * expired, and stops at the point of the batch. The other process is stopped, because it might be faster.
 */
export async function assembleSweep(scene: Scene): Promise<void> {
  const { lane, victim, trials } = scene;
  const leased = scene.trialsAt('sweeper after lease');
  const checked = scene.trialsAt('sweeper after status check');
  lane.watchCalls(trials.map(({ text }) => text));
  await victim.api.watch(watchOf(trials, []));
  await advanceToProvider(scene, trials);
  lane.survivor.api.signal('SIGSTOP');
  await victim.api.kill();
  victim.provider.deliver();
  // all leases expire together, when the test says so
  const setDueAt = (dueAt: string, subset: readonly Trial[]) =>
    lane.db.query(`update order_due set due_at = ${dueAt} where waited_for and developer_id = any($1::uuid[])`, [
      idsOf(subset),
    ]);
  await setDueAt(`now() + interval '1 hour'`, trials);
  await victim.restart(
    watchOf(trials, [
      ['lease:after', leased],
      ['resolve:before', checked],
      ['unknown:before', checked],
    ]),
  );
  await setDueAt('now()', checked);
  await scene.each(checked, (trial) => scene.at('answer', trial) !== undefined);
  await setDueAt('now()', leased);
  await scene.each(leased, (trial) => scene.at('lease:after', trial) !== undefined);
}

/** Whether the call is at its point now, according to its process. */
export function isAtPoint(scene: Scene, trial: Trial): boolean {
  const at = (gate: string): boolean => scene.at(gate, trial) !== undefined;
  const withoutReply = (gate: string): boolean =>
    at(`${gate}:before`) && !at(`${gate}:after`) && scene.withheld.has(scene.at(`${gate}:before`, trial)?.port ?? -1);
  const { provider } = scene.victim;
  switch (trial.cell.point) {
    case 'before T1':
      return at('admission:after') && !at('hold:before');
    case 'after T1':
      return withoutReply('hold');
    case 'before the claim':
      return at('claim:before') && !at('claim:after') && !withoutReply('claim');
    case 'after the claim':
      return withoutReply('claim');
    case 'while sending':
      return provider.calls(trial.text) === 1 && !at('answer');
    case 'after the response':
      return isLead(trial)
        ? at('lead:before') && !at('lead:after')
        : at('answer') && !at('resolve:before') && !at('unknown:after');
    case 'inside T2':
      return scene.blocked.has((scene.at('resolve:before', trial) ?? scene.at('unknown:before', trial))?.pid ?? -1);
    case 'after T2':
      return withoutReply('resolve') || withoutReply('unknown') || withoutReply('commit');
    case 'lead fee':
      return at('fee:after') && !at('commit:before');
    case 'sweeper after lease':
      return at('lease:after') && !at('resolve:before') && !at('unknown:before') && !at('answer');
    case 'sweeper after status check':
      return at('lease:after') && at('answer') && !at('resolve:after') && !at('unknown:after');
  }
}
