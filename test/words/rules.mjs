/**
 * The terms of this product, and the words that earlier texts used in their place. `npm run check` reads product texts by them,
 * `npm run check:words` documents and comments. A text that quotes such a word as code (in backticks) is not read there.
 */

/** In every text: [pattern, what to write, whether case matters]. */
export const terms = [
  [/\b(?:gives?|gave|given|goes|went) back\b|\bmoney is back\b/, 'refund, refunded; return'],
  [/\brepetitions?\b(?! of fields| have a cost)/, 'retry (client), replay (stored response), duplicate'],
  [/\b(?:known|free) keys?\b|\bkey is (?:gone|free)\b/, 'idempotency key that was already used / not used'],
  [/\benquir(?:y|ies|es?)\b|\basks? (?:a|the|its) provider\b|\basked about\b/, 'status check'],
  [/\banswer(?:s|ed|ing)?\b/, 'response; return, respond'],
  [/\bverdicts?\b/, 'final status'],
  [/\bperform(?:s|ed|ing)?\b/, 'process (in progress), complete or succeed (outcome)'],
  [/\bundecided\b|\bhanded to a person\b/, 'needs review; manual review'],
  [
    /\bproposals?\b|\bpropos(?:e|es|ed|ing)\b|\bcarr(?:y|ies|ied|ying) out\b/,
    'approval request; request approval, approve',
  ],
  [/\brefus(?:e|es|ed|al|als|ing)\b/, 'reject, rejected; decline (a provider)'],
  [/\bcontradict(?:s|ed|ing|ions?)?\b/, 'conflict, conflicting provider status'],
  [/\b(?:takes?|took|taken|taking) back\b/, 'reverse, reversal'],
  [/\bcharg(?:e|es|ing) again\b/, 'reverse the refund'],
  [/\bhand(?:s|ed|ing)? in\b/, 'submit'],
  [/\bchanges wanted\b|\bmend(?:s|ed|ing)?\b/, 'changes requested; fix'],
  [/\bask(?:s|ed|ing)? for\b|\bwanted\b/, 'request, requested, require'],
  [/\b(?:gives?|gave|given|giving) up\b/, 'failed, stop retrying'],
  [/(?<!-)\btries\b/, 'attempts'],
  [/\bsift(?:s|ed|ing)?\b/, 'filter'],
  [/\blook(?:s|ed|ing)? further\b/, 'load older results'],
  [/\bin all(?=[.,;:)'"]|$)/, 'total'],
  [/\b(?:is|are|was) over\b/, 'expires, ends'],
  [/\bstands? (?:in|on|at|here|there|above|below|beside|next|under)\b/, 'is in, is listed, is next to'],
  [/\b(?:tells|told|hears?|heard)\b/, 'reports, returns, receives'],
  [
    /\b(?:nobody|somebody|whoever|anybody|everybody|no one|someone)\b/,
    'the actor: the developer, an administrator, the caller, the user',
  ],
  [/\boperator['’]s (?:people|own|staff)\b/, 'administrator, support, staff'],
  [/\balone\b/, 'only; without approval; by itself'],
  [/\bcounts? (?:no more|all the same|as before)\b/, 'is valid, applies; is no longer valid'],
  [/\banew\b|\bonce more\b/, 'again'],
  [/\blines? of (?:a|the|its|each|every|one) wallet\b/, 'entry, entries'],
  [/\b(?:house|houses|door|doors|entrances?)\b/, 'system, endpoint, module'],
  [/\bfelt\b/, 'takes effect'],
  [/\bplay[- ]money\b/, 'test funds'],
  [/(?<!\baudit )\btrails?\b/, 'audit log'],
  [/\btoken life\b|\blife of (?:a|the|its) tokens?\b/, 'token lifetime'],
  [/\blive access\b|\bopens? production\b/, 'Production access'],
  [/\bswitch(?:es|ed|ing)? (?:it |them )?(?:on|off)\b/, 'enable, disable'],
  [/\btakes? orders\b|\borders are held\b/, 'accept orders; orders paused'],
  [/\b(?:comes?|came) to\b(?! an end)/, 'outcome; limit; is'],
  [/(?<![-/])\bkits?\b/, 'client library'],
  [/(?<![-@.])\b(?:mails?|mailed|mailing|e-mails?)\b(?![-@.]\w| servers?\b| client\b| header)/, 'email'],
  [/(?<![-./_:])\b(?:id|ids|Ids)\b(?![-./_:(=])/, 'ID', 'exact'],
  [/\bforeign pages?\b|\bstrangers?\b/, 'cross-origin request; anonymous caller'],
  [
    /\bfor ever\b|\bfor good\b|\b(?:this|same) instant\b|\bquarter of an hour\b|\b(?:days? of India|Indian days?)\b/,
    'permanently; at this time; 15 minutes; calendar day (IST)',
  ],
  [
    /\bas it (?:is|was)\b(?! (?:sent|received|written|stored))|\bso long\b|\bno more\b(?=[.,;:)]|$)|\bgo(?:es)? on\b|\bwent on\b/,
    'rewrite the sentence',
  ],
  [/\bmeanwhile\b/, 'in the meantime, since then'],
  [/\b(?:this|that|it|which) is no (?!longer\b|more than\b|later than\b|less than\b)/, 'is not a'],
];

/** In texts that a user of the API or of the portal reads. There these words have one meaning; in comments they have several. */
const productTerms = [
  [/\bdecided by\b|\bdecisions?\b/, 'resolution; approval, rejection'],
  [/\b(?:your|our|their) programs?\b|\bprograms? of (?:a|the|your)\b/, 'application, integration'],
  [/\ba person\b|\bpeople of\b/, 'the actor: user, administrator, team member'],
  [/\b(?:keys?|tokens?|accounts?|endpoints?|labels?|orders?|it) (?:was|were|is|are) made\b/, 'created'],
  [
    /\bwait(?:s|ing)? for (?:us|you|a person|an? admin)|\bwaits?\b(?=[.;,])/,
    'pending approval, needs review, scheduled, queued',
  ],
];

/** A description does not begin with a word that needs another text to be understood. */
const FORBIDDEN_FIRST =
  /^(?:what|which|whose|who|whoever|whom|where|why|until|of|the same|it|its|they|them|this is no)\b/i;

/** A mutation is described by what it does. */
const VERBS = new Set(
  'accepts activates adds allows approves assigns attaches cancels changes checks clears closes completes confirms corrects creates credits debits declines deletes disables discards emails enables ends erases exchanges expires exports extends fetches finishes forces generates grants imports invites issues links lists locks looks marks merges moves opens pauses pays pins places posts prepares processes publishes queues reads recharges reconciles records reduces refills refreshes registers reinstates rejects releases removes renames renews reopens replaces replays reports requests resends resets resolves restarts restores resumes retries returns reverses reveals revokes rotates runs saves schedules sends sets signs simulates starts stops submits shortens suspends switches takes tests transfers triggers unlinks unlocks updates uploads validates verifies withdraws'.split(
    ' ',
  ),
);

const MAX_WORDS = 30;

/** Code is not prose: what is in backticks, placeholders, addresses and names in capitals. */
export const withoutCode = (text) =>
  text
    .replace(/`[^`]*`/g, 'X')
    .replace(/\$\{[^{}]*\}|\{\w*\}|<[^<>]*>/g, 'X')
    .replace(/\bhttps?:\/\/\S+|\S+@\S+\.\S+/g, 'X');

/** Complaints about the words and sentences of a text. `product`: a user of the API or of the portal reads it. */
export function judge(text, { product = false } = {}) {
  const prose = withoutCode(text);
  const complaints = [];
  for (const [pattern, use, exact] of product ? [...terms, ...productTerms] : terms) {
    const found = (exact ? pattern : new RegExp(pattern, 'i')).exec(prose);
    // names in capitals, such as CARRIED_OUT, are names
    if (found && found[0] !== found[0].toUpperCase()) complaints.push(`"${found[0]}": write ${use}`);
  }
  for (const sentence of prose.split(/(?<=[.!?:])\s+|\n\s*\n|\n\s*[-*] /)) {
    const words = sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
    if (words > MAX_WORDS) complaints.push(`a sentence of ${words} words: at most ${MAX_WORDS}`);
  }
  return complaints;
}

/** Complaints about a text that users read. The first word of a description is a noun or a verb, of a mutation a verb. */
export function complaintsAbout({ text, isDescription = false, isMutation = false }) {
  const first = text.split(/\s/, 1)[0].toLowerCase();
  return [
    ...judge(text, { product: true }),
    ...(isDescription && FORBIDDEN_FIRST.test(text) ? [`begins with "${first}": begin with a noun or a verb`] : []),
    ...(isMutation && !VERBS.has(first) ? [`begins with "${first}": begin with a verb, such as "Creates"`] : []),
  ];
}
