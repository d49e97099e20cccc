/** Requests and answers of the routes of learned rules. */
import { Type } from '@sinclair/typebox';
import { Time } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';

const Verdict = oneOf(['allow', 'ask', 'deny']);
const count = (text: object) => Type.Integer({ minimum: 0, ...text });

export const RuleDecisionRequest = closedObject(
  {
    decision: oneOf(
      ['accept', 'dismiss', 'undo'],
      says(
        'accept writes the rule into approvals.yaml, undo takes it out again; a dismissed proposal stays in the list as dismissed',
        'accept 把规则写入 approvals.yaml，undo 再将其移除；dismiss 后的建议在列表中标为 dismissed',
      ),
    ),
  },
  { examples: [{ decision: 'accept' }] },
);

const Example = Type.Object({
  executionId: Optional.String(),
  sessionId: Optional.String(),
  at: Time,
  args: Optional.Unknown(says('absent where you may not read the session, and when they are long', '无权读取该会话时或参数过长时省略')),
  before: Verdict,
  after: Verdict,
});

export const RuleProposal = Type.Object({
  id: Type.String(),
  rule: Type.Object({
    tool: Type.String(),
    pattern: Optional.String(says('RE2; absent: every call of the tool', 'RE2；省略则匹配该工具的所有调用')),
    decision: oneOf(['allow']),
  }),
  state: oneOf(['open', 'accepted', 'dismissed', 'undone']),
  basedOn: count(says('calls that people have allowed, all of them', '人们批准过的调用数，无一被拒绝')),
  decidedBy: Optional.String(),
  decidedAt: Type.Optional(Time),
  simulation: Type.Object({
    allowed: count(says('past calls of the tool that would run without a question', '该工具过去的调用中无需询问即可执行的数量')),
    asked: count(says('past calls about which people would still be asked', '过去的调用中仍会询问的数量')),
    denied: count(says('past calls that the rules would deny', '过去的调用中会被规则拒绝的数量')),
    examples: Type.Array(Example, says('those that the rule changes come first', '结果因规则而改变的在前')),
  }),
  diff: Type.String(
    says(
      'change of approvals.yaml; callers who are no operators get that of their own part',
      'approvals.yaml 的改动；非运维人员只得到本租户部分的改动',
    ),
  ),
});
