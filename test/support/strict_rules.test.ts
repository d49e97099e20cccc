/** The rules of the strict servers refuse what the vendors refuse; the tests that use them could not fail otherwise. */
import { anthropicRule, googleRule, mistralRule, openAiChatRule, responsesRule, type VendorRule } from './wires/strict_rules';

const ISSUED = new Set(['mine']);
const user = { role: 'user', content: 'hi' };
const chatCall = (id: string, fields = {}) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: {}, ...fields }],
});
const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'x' });
const block = (type: string, fields = {}) => ({ type, ...fields });
const said = (role: string, ...content: object[]) => ({ role, content });
const content = (role: string, ...parts: object[]) => ({ role, parts });
const HI = block('text', { text: 'hi' });
const USE = block('tool_use', { id: 'a', name: 'x', input: {} });
const RESULT = block('tool_result', { tool_use_id: 'a', content: 'x' });
const CALL = { functionCall: { name: 'x' } };
const RESPONSE = { functionResponse: { name: 'x' } };
const item = (type: string, fields = {}) => ({ type, ...fields });

it.each<[string, VendorRule, object, RegExp | undefined]>([
  ['chat: pairs', openAiChatRule, { messages: [user, chatCall('a'), result('a'), user] }, undefined],
  ['chat: a call without a result', openAiChatRule, { messages: [user, chatCall('a'), user] }, /must be followed by tool messages/],
  ['chat: a result without a call', openAiChatRule, { messages: [user, result('a')] }, /must be a response/],
  ['chat: a long id', openAiChatRule, { messages: [user, chatCall('a'.repeat(41)), result('a'.repeat(41))] }, /maximum length 40/],
  ['chat: a field of another', openAiChatRule, { messages: [{ ...user, reasoning_content: 'x' }] }, /Extra inputs/],
  ['mistral: an id of nine', mistralRule, { messages: [user, chatCall('abcdefghi'), result('abcdefghi')] }, undefined],
  ['mistral: another id', mistralRule, { messages: [user, chatCall('call_1'), result('call_1')] }, /length of 9/],
  [
    'mistral: a person behind a result',
    mistralRule,
    { messages: [user, chatCall('abcdefghi'), result('abcdefghi'), user] },
    /Unexpected role 'user'/,
  ],
  ['mistral: an answer at the end', mistralRule, { messages: [user, { role: 'assistant', content: 'x' }] }, /Expected last role/],
  ['anthropic: pairs', anthropicRule, { messages: [said('user', HI), said('assistant', USE), said('user', RESULT)] }, undefined],
  ['anthropic: an answer in front', anthropicRule, { messages: [said('assistant', HI)] }, /first message/],
  ['anthropic: a role twice', anthropicRule, { messages: [said('user', HI), said('user', HI)] }, /alternate/],
  [
    'anthropic: a call without a result',
    anthropicRule,
    { messages: [said('user', HI), said('assistant', USE), said('user', HI)] },
    /without `tool_result`/,
  ],
  ['anthropic: a result without a call', anthropicRule, { messages: [said('user', RESULT)] }, /unexpected `tool_use_id`/],
  ['anthropic: a blank text', anthropicRule, { messages: [said('user', block('text', { text: ' ' }))] }, /non-empty/],
  [
    'anthropic: a thought of another',
    anthropicRule,
    { messages: [said('user', HI), said('assistant', block('thinking', { signature: 'x' }), HI)] },
    /Invalid `signature`/,
  ],
  [
    'anthropic: a turn that goes on without a thought',
    anthropicRule,
    { thinking: { type: 'enabled' }, messages: [said('user', HI), said('assistant', USE), said('user', RESULT)] },
    /must start with a thinking block/,
  ],
  [
    'google: pairs',
    googleRule,
    { contents: [content('user', { text: 'hi' }), content('model', { ...CALL, thoughtSignature: 'mine' }), content('user', RESPONSE)] },
    undefined,
  ],
  [
    'google: a call without a signature',
    googleRule,
    { contents: [content('user', { text: 'hi' }), content('model', CALL), content('user', RESPONSE)] },
    /thought_signature/,
  ],
  [
    'google: a signature of another',
    googleRule,
    { contents: [content('user', { text: 'hi' }), content('model', { text: 'x', thoughtSignature: 'x' })] },
    /not valid/,
  ],
  [
    'google: too few results',
    googleRule,
    { contents: [content('user', { text: 'hi' }), content('model', CALL, CALL), content('user', RESPONSE)] },
    /number of function response/,
  ],
  ['google: an empty part', googleRule, { contents: [content('user', { text: '' })] }, /must not be empty/],
  [
    'responses: pairs',
    responsesRule,
    { input: [item('function_call', { call_id: 'a' }), item('function_call_output', { call_id: 'a' })] },
    undefined,
  ],
  [
    'responses: a call without an output',
    responsesRule,
    { input: [item('function_call', { call_id: 'a' }), item('message', { role: 'user' })] },
    /No tool output/,
  ],
  ['responses: an output without a call', responsesRule, { input: [item('function_call_output', { call_id: 'a' })] }, /No tool call found/],
  ['responses: reasoning of another', responsesRule, { input: [item('reasoning', { encrypted_content: 'x' })] }, /could not be verified/],
  ['responses: reasoning alone', responsesRule, { input: [item('reasoning', { encrypted_content: 'mine' })] }, /required following item/],
  [
    'responses: an id of another',
    responsesRule,
    { input: [item('function_call', { call_id: 'a', id: 'call_1' }), item('function_call_output', { call_id: 'a' })] },
    /begins with 'fc'/,
  ],
])('%s', (_, rule, body, words) => {
  const refused = rule(body as Record<string, unknown>, ISSUED);
  if (words) expect(refused).toMatch(words);
  else expect(refused).toBeUndefined();
});
