/** Requests and answers of the routes of replays. */
import { Type } from '@sinclair/typebox';
import { UsageData } from '../../port/model_events';
import { INCOMPLETE_REASONS, TERMINAL_STATUSES } from '../../port/run_event';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { ID_PATTERN } from '../../wire/decode';
import { MAX_REPLAYS } from './replay/replay_service';
import { REQUEST_PARTS } from './replay/replayed_requests';

/** The longest prompt, in UTF-16 units. */
const MAX_PROMPT_UNITS = 200_000;

const MODEL = Optional.String({
  minLength: 1,
  maxLength: 200,
  ...says(
    'id of the model to call; absent: the recorded answers are used and no model is called',
    '要调用的模型的 id；省略则使用录制的回答，不调用模型',
  ),
});

export const ReplayRequest = closedObject(
  {
    model: MODEL,
    agent: Optional.String({
      pattern: ID_PATTERN,
      ...says('name of the agent; absent: the agent of the run', '智能体的名称；省略则为该运行的智能体'),
    }),
    prompt: Optional.String({
      minLength: 1,
      maxLength: MAX_PROMPT_UNITS,
      ...says('takes the place of the system prompt', '代替系统提示词'),
    }),
    liveTools: Optional.OneOf(
      ['none', 'read'],
      says(
        'read: a call that only reads and is not recorded runs; needs the scope tools; default none',
        'read：录制中没有且只读的调用会真正执行；需要 tools 权限；默认 none',
      ),
    ),
  },
  { examples: [{}, { model: 'local' }] },
);

const End = Type.Object({
  status: oneOf(TERMINAL_STATUSES),
  reason: Optional.OneOf(INCOMPLETE_REASONS),
  text: Type.String(),
  usage: Type.Object(UsageData.properties),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});

export const RESULT = oneOf(
  ['same', 'different', 'failed'],
  says(
    'same: the same end, answer and calls; failed: the replay could not be carried out',
    'same：结束方式、回答和调用都相同；failed：重放无法完成',
  ),
);
export const DIFFERENCES = Type.Array(
  oneOf(['status', 'answer', 'calls', 'events']),
  says(
    'what differs; events: the log has other events, although the rest is the same',
    '有差异的部分；events：其余相同，但日志中的事件不同',
  ),
);

export const Replay = Type.Object({
  runId: Type.String(),
  result: RESULT,
  differences: DIFFERENCES,
  agent: Type.String(),
  model: Optional.String(says('the model that was called; absent: the recorded answers were used', '所调用的模型；使用录制的回答时不出现')),
  input: Type.String(says('the message that began the run', '启动运行的消息')),
  recorded: End,
  replayed: End,
  answerDiff: Optional.String(says('unified diff of the two answers; absent when they are equal', '两个回答的统一 diff；相同时不出现')),
  promptDiff: Optional.String(
    says(
      'unified diff of the two system prompts; absent when they are equal, and for keys without the scope ops:read',
      '两个系统提示词的统一 diff；相同时以及密钥没有 ops:read 权限时不出现',
    ),
  ),
  requests: Type.Array(
    Type.Object({
      state: oneOf(['same', 'changed', 'unrecorded']),
      changed: Optional.Array(oneOf(REQUEST_PARTS)),
    }),
    says(
      'the requests to the model, in order; a changed one got the recorded answer of the same step',
      '对模型的请求，按顺序；有改动的请求得到同一步的录制回答',
    ),
  ),
  calls: Type.Array(
    Type.Object({
      state: oneOf(
        ['same', 'added', 'removed'],
        says(
          'added: only the replay made the call; removed: only the run did',
          'added：只有重放进行了此调用；removed：只有原运行进行了此调用',
        ),
      ),
      name: Type.String(),
      arguments: Type.String(says('the JSON text as the model wrote it', '模型写出的 JSON 文本')),
      source: Optional.OneOf(
        ['record', 'live', 'none'],
        says(
          'where the result came from; none: the run did not make the call, so the model got no result',
          '结果的来源；none：原运行没有此调用，模型没有得到结果',
        ),
      ),
    }),
  ),
});

export const ReplayLastRequest = closedObject(
  {
    last: Type.Integer({
      minimum: 1,
      maximum: MAX_REPLAYS,
      ...says('number of runs, the newest ones of the tenants that the key sees', '运行的数量，取该密钥可见的租户中最新的'),
    }),
  },
  { examples: [{ last: 20 }] },
);

const ReplaySummary = Type.Object({
  tenantId: Type.String(),
  runId: Type.String(),
  result: RESULT,
  differences: DIFFERENCES,
  requests: Type.Integer({ minimum: 0 }),
  changedRequests: Type.Integer({
    minimum: 0,
    ...says('requests that differ from the recorded ones, as after a change of the prompt', '与录制不同的请求数，例如提示词改动之后'),
  }),
  error: Optional.String(says('code of the error of a failed replay', '重放失败时的错误码')),
});

export const ReplaySummaries = Type.Object({ data: Type.Array(ReplaySummary) });
