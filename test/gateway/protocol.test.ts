import fc from 'fast-check';
import { AppError } from '../../src/errors';
import { interactionOf, readHandshake, toSocketPrincipal } from '../../src/gateway/handshake';
import { CLIENT_MESSAGES, decodeClientMessage, MAX_INPUT_LENGTH, toStartRequest } from '../../src/gateway/protocol';
import { LOCAL_PRINCIPAL } from '../../src/port/principal';

/** Returns the error of a refused message. */
function refusalOf(message: unknown): AppError {
  try {
    decodeClientMessage(message);
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
  throw new Error('the message was accepted');
}

describe('client messages (neta.clarify.protocol)', () => {
  it.each([
    [{ type: 'chat', text: 'hello' }],
    [{ type: 'chat', text: 'hello', sessionId: 'ses_1', clientMessageId: 'm-1', agent: 'poet', locale: 'zh-CN', onBusy: 'interrupt' }],
    [{ type: 'chat', text: 'x'.repeat(MAX_INPUT_LENGTH) }],
    [{ type: 'subscribe', sessionId: 'ses_1', after: { runId: 'run_1', seq: 0 } }],
    [{ type: 'clarify_response', sessionId: 'ses_1', requestId: 'q-1', answer: '2' }],
    [{ type: 'approval_response', sessionId: 'ses_1', requestId: 'q-1', decision: 'allow_once', args: { command: 'ls' } }],
    [{ type: 'approval_response', sessionId: 'ses_1', requestId: 'q-1', decision: 'deny', reason: 'no' }],
    [{ type: 'clarify_extend', sessionId: 'ses_1', requestId: 'q-1' }],
    [{ type: 'cancel', runId: 'run_1' }],
    [{ type: 'set_thinking_level', sessionId: 'ses_1', level: 'minimal' }],
    [{ type: 'typing', sessionId: 'ses_1' }],
    [{ type: 'ping' }],
  ])('are accepted unchanged: %j', message => {
    expect(decodeClientMessage(message)).toBe(message);
  });

  it('are validated by their type first, so that the error names the wrong field', () => {
    expect(refusalOf({ type: 'clarify_response', sessionId: 'a', requestId: 'b' })).toMatchObject({ param: '/answer' });
    expect(refusalOf({ type: 'clarify' })).toMatchObject({ param: '/type', message: expect.stringContaining('clarify_response') });
    expect(refusalOf({ type: 'chat', text: 'x'.repeat(MAX_INPUT_LENGTH + 1) })).toMatchObject({ param: '/text' });
    expect(refusalOf({ type: 'chat', text: 'a', onBusy: 'later' }).message).toMatch(/enqueue.*reject.*interrupt/);
  });

  it('are refused with an unknown field, for every type', () => {
    for (const type of Object.keys(CLIENT_MESSAGES)) {
      const known = { text: 'a', sessionId: 'a', runId: 'a', requestId: 'a', answer: 'a', level: 'low', decision: 'deny' };
      const { param } = refusalOf({ type, surplus: 1, ...known });
      expect(param).toMatch(/^\/(surplus|text|sessionId|runId|requestId|answer|level|decision)$/);
    }
  });

  it('are decoded or refused as invalid_request for any input', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { type: fc.constantFrom(...Object.keys(CLIENT_MESSAGES)), text: fc.jsonValue(), sessionId: fc.jsonValue() },
        { requiredKeys: ['type'] },
      ),
    );
    fc.assert(
      fc.property(anything, message => {
        try {
          decodeClientMessage(message);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError);
          expect(thrown).toMatchObject({ code: 'invalid_request', param: expect.stringMatching(/^\//) });
        }
      }),
    );
  });
});

const CLARIFY = { timeoutMs: 20_000, declaredTimeoutMs: 300_000, textTimeoutMs: 86_400_000 };

function startRequest(message: Record<string, unknown>, auth: Record<string, unknown> = {}) {
  const principal = toSocketPrincipal(readHandshake(auth), LOCAL_PRINCIPAL);
  const client = { principal, connectionId: 'con-1', interaction: interactionOf(principal, { clarify: CLARIFY, hasApprover: true }) };
  return toStartRequest({ type: 'chat', text: 'hello', ...message }, client);
}

describe('the start request of a chat message', () => {
  it.each([
    ['its session', { sessionId: 'ses_1' }, { clientId: 'page-1' }, 'chat:session:ses_1:m-1'],
    ['its client without a session', {}, { clientId: 'page-1' }, 'chat:client:page-1:m-1'],
    ['its connection without session and client id', {}, {}, 'chat:connection:con-1:m-1'],
  ])('has an idempotency key that is unique within %s', (_scope, message, auth, key) => {
    expect(startRequest({ clientMessageId: 'm-1', ...message }, auth).idempotency).toMatchObject({ key, formerKey: 'chat:m-1' });
  });

  it('takes the locale of the page for a new session only', () => {
    const locales = [{}, { sessionId: 'ses_1' }, { sessionId: 'ses_1', locale: 'en' }].map(
      message => startRequest(message, { locale: 'zh-CN' }).locale,
    );
    expect(locales).toEqual(['zh-CN', undefined, 'en']);
  });

  it('lets the run ask as the capabilities of the client allow', () => {
    expect(startRequest({}).interaction).toEqual({ clarify: 'wait', clarifyTimeoutMs: 20_000 });
    const { interaction } = startRequest({}, { capabilities: ['clarify@1', 'approval@1'] });
    expect(interaction).toEqual({ clarify: 'wait', clarifyTimeoutMs: 300_000, approvals: 'wait' });
  });
});
