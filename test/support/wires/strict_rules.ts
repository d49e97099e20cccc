/**
 * What vendors refuse, as their documents and their errors say: calls without results and results without calls, ids in another form, fields of others,
 * roles out of order, and thoughts that they did not write themselves. A rule returns the words of the refusal.
 */
type Fields = Record<string, unknown>;
/** Reads the body of a request. `issued`: the proofs of thoughts that this server wrote. */
export type VendorRule = (body: Fields, issued: ReadonlySet<string>) => string | undefined;

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

interface ChatRules {
  ids: RegExp;
  wrongId: (id: string) => string;
  /** A message of a person may not follow a result. */
  answersResults?: true;
}

/** Fields of messages that the API knows. */
const CHAT_FIELDS = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'refusal']);
const CALL_FIELDS = new Set(['id', 'type', 'function', 'index']);

function chatRule({ ids, wrongId, answersResults }: ChatRules): VendorRule {
  return body => {
    let open = new Set<string>();
    let last = '';
    for (const message of listOf(body['messages'])) {
      const role = textOf(message['role']);
      const unknown = Object.keys(message).find(name => !CHAT_FIELDS.has(name));
      if (unknown) return `Extra inputs are not permitted: messages.${role}.${unknown}`;
      if (role === 'tool') {
        const id = textOf(message['tool_call_id']);
        if (!ids.test(id)) return wrongId(id);
        if (!open.delete(id)) return `messages with role 'tool' must be a response to a preceding message with 'tool_calls': ${id}`;
      } else if (open.size > 0)
        return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': ${[...open]}`;
      if (answersResults && role === 'user' && last === 'tool') return "Unexpected role 'user' after role 'tool'";
      if (role === 'system' && last !== '' && last !== 'system') return `Unexpected role 'system' after role '${last}'`;
      if (role === 'assistant' && !message['content'] && listOf(message['tool_calls']).length === 0)
        return 'Assistant message must have either content or tool_calls, but not none.';
      const calls = listOf(message['tool_calls']);
      for (const call of calls) {
        const field = Object.keys(call).find(name => !CALL_FIELDS.has(name));
        if (field) return `Extra inputs are not permitted: tool_calls.${field}`;
        if (!ids.test(textOf(call['id']))) return wrongId(textOf(call['id']));
      }
      if (role === 'assistant') open = new Set(calls.map(call => textOf(call['id'])));
      if (open.size < calls.length) return 'Duplicate tool call id';
      last = role;
    }
    if (last === 'assistant') return 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant';
    return open.size > 0 ? 'Not the same number of function calls and responses' : undefined;
  };
}

export const openAiChatRule = chatRule({
  ids: /^.{1,40}$/,
  wrongId: id => `Invalid 'messages.tool_calls.id': string too long. Expected a string with maximum length 40, but got ${id.length}.`,
});

export const mistralRule = chatRule({
  ids: /^[A-Za-z0-9]{9}$/,
  wrongId: id => `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
  answersResults: true,
});

export const responsesRule: VendorRule = (body, issued) => {
  const input = listOf(body['input']);
  const open = new Set<string>();
  for (const [i, item] of input.entries()) {
    const next = input[i + 1];
    const callId = textOf(item['call_id']);
    if (item['type'] === 'reasoning') {
      if (!issued.has(textOf(item['encrypted_content']))) return `The encrypted content for item ${item['id']} could not be verified.`;
      const follows =
        next?.['type'] === 'function_call' ||
        next?.['type'] === 'reasoning' ||
        (next?.['type'] === 'message' && next['role'] === 'assistant');
      if (!follows) return `Item '${item['id']}' of type 'reasoning' was provided without its required following item.`;
    }
    if (item['type'] === 'function_call' && open.size === 0 && next === undefined)
      return `No tool output found for function call ${callId}.`;
    if (item['type'] === 'function_call') {
      if (callId.length > 64 || callId === '') return `Invalid 'input[${i}].call_id': string too long.`;
      if (item['id'] !== undefined && !textOf(item['id']).startsWith('fc'))
        return `Invalid 'input[${i}].id': Expected an ID that begins with 'fc'.`;
      open.add(callId);
    }
    if (item['type'] === 'function_call_output' && !open.delete(callId))
      return `No tool call found for function call output with call_id ${callId}.`;
    const ends = item['type'] === 'message' && item['role'] === 'user';
    if (ends && open.size > 0) return `No tool output found for function call ${[...open]}.`;
  }
  return open.size > 0 ? `No tool output found for function call ${[...open]}.` : undefined;
};

export const anthropicRule: VendorRule = (body, issued) => {
  const messages = listOf(body['messages']);
  const thinking = body['thinking'] as Fields | undefined;
  if (messages[0]?.['role'] !== 'user') return 'messages: first message must use the "user" role';
  const ids = new Set<string>();
  let open: string[] = [];
  for (const [i, { role, content }] of messages.entries()) {
    if (role === messages[i - 1]?.['role']) return `messages.${i}: roles must alternate between "user" and "assistant"`;
    const blocks = listOf(content);
    const results = blocks.filter(({ type }) => type === 'tool_result').map(block => textOf(block['tool_use_id']));
    const unanswered = open.find(id => !results.includes(id));
    if (unanswered) return `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered}`;
    const orphan = results.find(id => !open.includes(id));
    if (orphan) return `messages.${i}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}`;
    open = blocks.filter(({ type }) => type === 'tool_use').map(block => textOf(block['id']));
    for (const id of open) {
      if (!/^[A-Za-z0-9_-]+$/.test(id)) return `messages.${i}: String should match pattern '^[a-zA-Z0-9_-]+$': ${id}`;
      if (ids.has(id)) return 'messages: `tool_use` ids must be unique';
      ids.add(id);
    }
    const problem = blocks.map(block => blockProblem(block, issued)).find(Boolean);
    if (problem) return `messages.${i}: ${problem}`;
    if (role === 'assistant' && /thinking/.test(textOf(blocks.at(-1)?.['type'])))
      return `messages.${i}: The final block in an assistant message cannot be \`thinking\`.`;
  }
  if (open.length > 0) return 'messages: the last message has `tool_use` without results';
  const last = messages.findLast(({ role }) => role === 'assistant');
  const goesOn = listOf(messages.at(-1)?.['content']).some(({ type }) => type === 'tool_result');
  const first = textOf(listOf(last?.['content'])[0]?.['type']);
  if (thinking?.['type'] === 'enabled' && goesOn && !/thinking/.test(first))
    return `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`;
  return thinking && body['temperature'] !== undefined ? '`temperature` may only be set to 1 when thinking is enabled.' : undefined;
};

function blockProblem(block: Fields, issued: ReadonlySet<string>): string | undefined {
  if (block['type'] === 'text' && textOf(block['text']).trim() === '') return 'text content blocks must be non-empty';
  if (block['type'] === 'thinking' && !issued.has(textOf(block['signature']))) return 'Invalid `signature` in `thinking` block';
  return undefined;
}

/** The text that Google names for a call that another model made. */
const SKIP = 'skip_thought_signature_validator';

export const googleRule: VendorRule = (body, issued) => {
  const contents = listOf(body['contents']);
  if (contents[0]?.['role'] !== 'user') return 'Please ensure that the conversation begins with a user turn.';
  const asked = contents.findLastIndex(({ role, parts }) => role === 'user' && listOf(parts).some(part => 'text' in part));
  for (const [i, { role, parts }] of contents.entries()) {
    const own = listOf(parts);
    if (own.length === 0 || own.some(part => Object.keys(part).length === 0 || part['text'] === ''))
      return 'contents.parts must not be empty.';
    if (role === contents[i - 1]?.['role']) return 'Please ensure that turns alternate between user and model.';
    const calls = own.filter(part => 'functionCall' in part).length;
    const next = listOf(contents[i + 1]?.['parts']).filter(part => 'functionResponse' in part).length;
    if (calls !== (role === 'model' ? next : 0))
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    const foreign = own.find(
      part => part['thoughtSignature'] !== undefined && part['thoughtSignature'] !== SKIP && !issued.has(textOf(part['thoughtSignature'])),
    );
    if (foreign) return 'Thought signature is not valid.';
    const first = own.find(part => 'functionCall' in part);
    if (first && i > asked && first['thoughtSignature'] === undefined)
      return `Function call in the ${i}. content block is missing a \`thought_signature\`.`;
  }
  return undefined;
};
