/** Requests and answers of the routes of suites. */
import { Type } from '@sinclair/typebox';
import { Time } from '../../../controller/schemas/common';
import { UsageData } from '../../../port/model_events';
import { says } from '../../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../../utils/schema_types';
import { ID_PATTERN } from '../../../wire/decode';
import { NOT_BLANK } from '../../../wire/not_blank';
import { DIFFERENCES, RESULT } from '../schemas';
import { SuiteChecks } from '../store/suite_records';
import { CHECK_NAMES } from './case_checks';

const MAX_TITLE_UNITS = 200;

export const SuiteCaseInput = closedObject(
  {
    runId: Type.String({ pattern: ID_PATTERN, ...says('a run that has ended', '已经结束的运行') }),
    name: Type.String({ pattern: ID_PATTERN, ...says('name of the suite', '测试集的名称') }),
    title: Optional.String({
      maxLength: MAX_TITLE_UNITS,
      pattern: NOT_BLANK,
      ...says('absent: the beginning of the message of the run', '省略则为该运行消息的开头'),
    }),
    checks: Type.Optional(SuiteChecks),
  },
  { examples: [{ runId: 'run_01J', name: 'regress', checks: { answerContains: ['Monday'], sameCalls: true } }] },
);

export const SuiteRunRequest = closedObject({
  model: Optional.String({
    minLength: 1,
    maxLength: 200,
    ...says('id of the model to call; absent: the recorded answers are used', '要调用的模型的 id；省略则使用录制的回答'),
  }),
});

const count = Type.Integer({ minimum: 0 });

export const Suite = Type.Object({
  name: Type.String(),
  cases: count,
  passed: Type.Integer({ minimum: 0, ...says('cases whose newest outcome is good', '最近一次通过的用例数') }),
  failed: count,
  ranAt: Type.Optional(
    Type.String({ format: 'date-time', ...says('the newest outcome; absent: no case has run', '最近一次执行的时间；从未执行则不出现') }),
  ),
});

const Outcome = Type.Object({ at: Time, passed: Type.Boolean(), model: Optional.String(), failed: Type.Array(oneOf(CHECK_NAMES)) });

export const SuiteCase = Type.Object({
  id: Type.String(),
  suite: Type.String(),
  title: Type.String(),
  runId: Type.String(says('the run from which the case was made; it may be deleted', '该用例来自的运行；可能已被删除')),
  sessionId: Optional.String(says('the session of the run; it may be deleted', '该运行的会话；可能已被删除')),
  agent: Type.String(),
  checks: SuiteChecks,
  keyName: Type.String(says('the key that added the case', '添加该用例的密钥')),
  createdAt: Time,
  outcome: Type.Optional(Outcome),
});

export const SuiteCases = Type.Object({ name: Type.String(), cases: Type.Array(SuiteCase) });

const Check = Type.Object({
  check: oneOf(
    CHECK_NAMES,
    says(
      'replay: the replay could be carried out, and with recorded answers it is the same as the run',
      'replay：重放能够完成；使用录制的回答时与原运行相同',
    ),
  ),
  passed: Type.Boolean(),
  expected: Optional.String(),
  found: Optional.String(),
});

export const SuiteResult = Type.Object({
  name: Type.String(),
  passed: count,
  failed: count,
  model: Optional.String(),
  cases: Type.Array(
    Type.Object({
      caseId: Type.String(),
      runId: Type.String(),
      title: Type.String(),
      passed: Type.Boolean(),
      checks: Type.Array(Check),
      durationMs: Type.Number(),
      replay: Type.Object({
        result: RESULT,
        differences: DIFFERENCES,
        recorded: Type.Object(UsageData.properties),
        replayed: Type.Object(UsageData.properties),
        answerDiff: Optional.String(),
      }),
    }),
  ),
});
