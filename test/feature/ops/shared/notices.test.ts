import { toNotice } from '../../../../src/feature/ops/shared/notices';

const HAN = /\p{Script=Han}/u;

it('names file, field and line of a mistake, in both languages', () => {
  const message = 'agents/helper.yaml: /toolsets/0: there is no toolset "no_such_set"; choose from base (line 2).';
  expect(toNotice(message)).toEqual({
    code: 'agent',
    message,
    messageZh: 'agents/helper.yaml 第 2 行，字段 /toolsets/0：没有工具集“no_such_set”。',
    file: 'agents/helper.yaml',
    field: '/toolsets/0',
    line: 2,
  });
});

it.each([
  [
    'limits.yaml: /default/requestsPerMinute: must be integer (line 2).',
    'file',
    'limits.yaml 第 2 行，字段 /default/requestsPerMinute：类型必须是 integer。',
  ],
  [
    'models.yaml: broken: The model server refuses the API key (HTTP 401).',
    'model',
    '模型 broken：模型服务器拒绝了 API 密钥（HTTP 401）。',
  ],
  [
    'models.yaml: /models/0/id: another model has the id "a" too (line 4).',
    'file',
    'models.yaml 第 4 行，字段 /models/0/id：另一个模型也有 id“a”。',
  ],
  [
    'approvals.yaml: Nested mappings are not allowed in compact mappings at line 3, column 9:',
    'file',
    'approvals.yaml 第 3 行：内容有错误。',
  ],
  ['tools/echo.yaml: /name: files is a toolset of the gateway (line 1).', 'tool', 'tools/echo.yaml 第 1 行，字段 /name：内容有错误。'],
  ['MCP server notes: the program ended with 1', 'mcp_server', 'MCP 服务器 notes 未连接。'],
  ['mcp.yaml: notes: there is no command', 'mcp_server', 'MCP 服务器 notes 的配置有错误。'],
  ['skills/brewing: SKILL.md:1: has no description.', 'skill', '技能 brewing 有错误，未启用。'],
  ['NETA_MCP_TOOLS: there is no tool odd now.', 'mcp_tools', 'NETA_MCP_TOOLS：现在没有工具 odd。'],
  ['Something new happened.', 'other', '有一项需要处理，详情见网关日志。'],
])('%s', (message, code, messageZh) => {
  expect(toNotice(message)).toMatchObject({ code, message, messageZh });
  expect(messageZh).toMatch(HAN);
});
