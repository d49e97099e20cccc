/** A model server that fails ends one run with a clear error, and the session and the gateway continue. */
import type { ErrorCode } from '../../src/errors';
import { MODEL_KEY } from '../support/agent_bench';
import { type BrokenModel, type BrokenWay, startBrokenModel } from '../support/broken_model';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

/** Failure, code of the run's error, partial text that the history keeps. */
const WAYS: [BrokenWay, ErrorCode, string[]][] = [
  ['resets_at_once', 'model_unreachable', []],
  ['resets_in_the_middle', 'model_unreachable', ['half an ans']],
  ['speaks_no_http', 'model_bad_response', []],
  ['sends_a_web_page', 'model_bad_response', []],
  ['sends_other_json', 'model_bad_response', []],
  ['sends_error_in_stream', 'model_unreachable', []],
  ['sends_late_error_in_stream', 'model_unreachable', ['so far so ']],
  ['ends_without_finish', 'model_bad_response', ['half an ans']],
  ['sends_nothing_at_all', 'model_bad_response', []],
  ['sends_broken_json', 'model_bad_response', []],
  ['sends_too_many_calls', 'model_too_large', []],
  ['sends_a_wild_index', 'model_too_large', []],
  ['refuses_the_key', 'model_refused', []],
  ['knows_no_such_model', 'model_refused', []],
  ['has_no_quota_left', 'model_refused', []],
  ['asks_to_wait_a_day', 'model_overloaded', []],
  ['fails_always', 'model_unreachable', []],
  ['redirects', 'model_refused', []],
];

/** What a person who speaks Chinese reads. */
const CHINESE: [BrokenWay, RegExp][] = [
  ['resets_at_once', /^无法连接模型服务器：它关闭了连接（ECONNRESET）。$/],
  ['sends_a_web_page', /^模型服务器的回答无法使用：是一个网页；请检查基础地址，它通常以 \/v1 结尾。$/],
  ['ends_without_finish', /^模型服务器的回答无法使用：它在中途结束了。$/],
  ['sends_too_many_calls', /^模型的回答超过了限制：工具调用超过 \d+ 次。$/],
  ['refuses_the_key', /^模型服务器拒绝了请求：请检查 API 密钥（HTTP 401）/],
  ['fails_always', /^模型服务器出错（HTTP 5\d\d）/],
];

let broken: BrokenModel;
let gateway: Gateway;
let rest: RestClient;
/** One run per failure, all at once because some are retried with waits. */
let runs: Map<BrokenWay, ReturnType<RestClient['run']>>;

beforeAll(async () => {
  broken = await startBrokenModel();
  gateway = await startGateway({ env: { OPENAI_BASE_URL: broken.baseUrlByMessage(), OPENAI_API_KEY: MODEL_KEY } });
  rest = createRestClient(gateway.url);
  runs = new Map(WAYS.map(([way]) => [way, rest.run({ input: way })]));
});

afterAll(async () => {
  await gateway?.stop();
  await broken?.stop();
});

describe('a run whose model server', () => {
  it.each(CHINESE)('%s says so in Chinese to a person who speaks it', async (way, said) => {
    const { body } = await rest.run({ input: way, locale: 'zh-CN' });
    expect(body.error?.message).toMatch(said);
  });

  it.each(WAYS)('%s ends with %s and keeps the text that was shown, and the session works afterwards', async (way, code, shown) => {
    const { status, body } = (await runs.get(way)) as Awaited<ReturnType<RestClient['run']>>;
    expect(status).toBe(200);
    const end = shown.length > 0 ? { status: 'incomplete', reason: 'model_cut', text: shown[0] } : { status: 'failed', text: '' };
    expect(body).toMatchObject({ ...end, error: { code, message: expect.any(String), retryable: expect.any(Boolean) } });
    const { body: page } = await rest.request<{ data: { type: string }[] }>('GET', `/runs/${body.runId}/events`);
    expect(page.data.filter(event => event.type === 'run_end')).toEqual([page.data.at(-1)]);
    expect(JSON.stringify([body, page])).not.toContain(MODEL_KEY);
    const next = await rest.run({ input: 'and now?', sessionId: body.sessionId });
    expect(next.body).toMatchObject({ status: 'completed', text: 'fine' });
    const kept = (await rest.history(body.sessionId)).map(message => message.content);
    expect(kept).toEqual([way, ...shown, 'and now?', 'fine']);
  });
});

it('the gateway never prints the API key of the model server', () => {
  expect(gateway.output()).not.toContain(MODEL_KEY);
});
