/** Tool calls as models write them into their text, by format. The formats are those of public chat templates. */
import type { CorpusCase } from './corpus_case';

const NOTES = [['read_file', { path: 'notes.txt' }]] as const;
const LIST = ['list_dir', { path: 'src' }] as const;
const LS = [['bash', { command: 'ls -la' }]] as const;

export const REAL_SHAPES: readonly CorpusCase[] = [
  { name: 'Hermes', answer: '<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>', calls: NOTES },
  { name: 'Hermes on one line', answer: '<tool_call>{"name":"read_file","arguments":{"path":"notes.txt"}}</tool_call>', calls: NOTES },
  {
    name: 'Hermes behind text',
    answer: 'I will look at the notes first.\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>',
    calls: NOTES,
    text: 'I will look at the notes first.\n\n',
  },
  {
    name: 'Hermes, two calls',
    answer:
      '<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>\n<tool_call>\n{"name": "list_dir", "arguments": {"path": "src"}}\n</tool_call>',
    calls: [...NOTES, LIST],
  },
  {
    name: 'Hermes without the end tag, which was the stop token',
    answer: '<tool_call>\n{"name": "bash", "arguments": {"command": "ls -la"}}\n',
    calls: LS,
  },
  {
    name: 'Hermes with the arguments first',
    answer: '<tool_call>{"arguments": {"path": "notes.txt"}, "name": "read_file"}</tool_call>',
    calls: NOTES,
  },
  {
    name: 'Hermes with the arguments as text',
    answer: '<tool_call>{"name": "bash", "arguments": "{\\"command\\": \\"ls -la\\"}"}</tool_call>',
    calls: LS,
  },
  {
    name: 'Hermes in the notation of Python',
    answer: "<tool_call>\n{'name': 'read_file', 'arguments': {'path': 'notes.txt'}}\n</tool_call>",
    calls: NOTES,
  },
  {
    name: 'Hermes with a comma too many',
    answer: '<tool_call>{"name": "read_file", "arguments": {"path": "notes.txt",},}</tool_call>',
    calls: NOTES,
  },
  {
    name: 'Hermes with its own tag inside the arguments',
    answer:
      '<tool_call>{"name": "write_file", "arguments": {"path": "a.md", "content": "Close with </tool_call>.\\n```json\\n{}\\n```"}}</tool_call>',
    calls: [['write_file', { path: 'a.md', content: 'Close with </tool_call>.\n```json\n{}\n```' }]],
  },
  { name: 'Hermes without arguments', answer: '<tool_call>{"name": "list_dir"}</tool_call>', calls: [['list_dir', {}]] },
  {
    name: 'Hermes with null arguments',
    answer: '<tool_call>{"name": "list_dir", "arguments": null}</tool_call>',
    calls: [['list_dir', {}]],
  },
  {
    name: 'Hermes behind a sentence on the same line',
    answer: 'Let me check. <tool_call>{"name": "list_dir", "arguments": {"path": "src"}}</tool_call>',
    calls: [LIST],
    text: 'Let me check. ',
  },
  {
    name: 'Hermes behind Chinese text',
    answer: '好的，我先查看“笔记”里的内容。\n<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>',
    calls: NOTES,
    text: '好的，我先查看“笔记”里的内容。\n',
  },
  {
    name: 'Hermes with Chinese arguments',
    answer: '<tool_call>\n{"name": "web_search", "arguments": {"query": "上海 明天 天气"}}\n</tool_call>',
    calls: [['web_search', { query: '上海 明天 天气' }]],
    request: '明天上海天气怎么样？',
  },
  {
    name: 'Qwen behind thoughts',
    answer:
      '<think>\nI should read <tool_call> later.\n</think>\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>',
    calls: NOTES,
    text: '<think>\nI should read <tool_call> later.\n</think>\n\n',
  },
  {
    name: 'Qwen behind thoughts whose start is missing',
    answer: 'The person wants the notes.\n</think>\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>',
    calls: NOTES,
    text: 'The person wants the notes.\n</think>\n\n',
  },
  {
    name: 'Qwen3-Coder',
    answer: '<tool_call>\n<function=read_file>\n<parameter=path>\nnotes.txt\n</parameter>\n</function>\n</tool_call>',
    calls: NOTES,
  },
  {
    name: 'Qwen3-Coder with numbers and several lines',
    answer:
      'I will run the tests.\n<tool_call>\n<function=bash>\n<parameter=command>\ncd app &&\nnpm test\n</parameter>\n<parameter=timeout_ms>\n60000\n</parameter>\n</function>\n</tool_call>',
    calls: [['bash', { command: 'cd app &&\nnpm test', timeout_ms: 60_000 }]],
    text: 'I will run the tests.\n',
  },
  {
    name: 'Qwen3-Coder without the outer tag',
    answer: '<function=list_dir>\n<parameter=path>\nsrc\n</parameter>\n</function>\n</tool_call>',
    calls: [LIST],
  },
  {
    name: 'Qwen3-Coder with markup in a value',
    answer: '<function=write_file><parameter=path>page.html</parameter><parameter=content>\n<p>"1 < 2"</p>\n</parameter></function>',
    calls: [['write_file', { path: 'page.html', content: '<p>"1 < 2"</p>' }]],
  },
  {
    name: 'Qwen3-Coder with a boolean of Python',
    answer:
      '<tool_call><function=patch><parameter=path>a.txt</parameter><parameter=old_string>x</parameter><parameter=new_string>y</parameter><parameter=replace_all>True</parameter></function></tool_call>',
    calls: [['patch', { path: 'a.txt', old_string: 'x', new_string: 'y', replace_all: true }]],
  },
  {
    name: 'Qwen agent with stars',
    answer: '✿FUNCTION✿: read_file\n✿ARGS✿: {"path": "notes.txt"}\n',
    calls: NOTES,
  },
  { name: 'Llama 3.1 with a token', answer: '<|python_tag|>{"name": "read_file", "parameters": {"path": "notes.txt"}}', calls: NOTES },
  {
    name: 'Llama 3.1, two calls with a semicolon',
    answer:
      '<|python_tag|>{"name": "read_file", "parameters": {"path": "notes.txt"}}; {"name": "list_dir", "parameters": {"path": "src"}}<|eom_id|>',
    calls: [...NOTES, LIST],
  },
  { name: 'Llama 3.1, bare', answer: '{"name": "read_file", "parameters": {"path": "notes.txt"}}', calls: NOTES },
  {
    name: 'Llama 3.1, bare and typed',
    answer: '{"type": "function", "name": "read_file", "parameters": {"path": "notes.txt"}}',
    calls: NOTES,
  },
  {
    name: 'Llama 3.1, bare behind text',
    answer: 'I need the notes.\n\n{"name": "read_file", "parameters": {"path": "notes.txt"}}\n',
    calls: NOTES,
    text: 'I need the notes.\n\n',
  },
  { name: 'Llama with a function tag', answer: '<function=read_file>{"path": "notes.txt"}</function>', calls: NOTES },
  {
    name: 'Llama built-in notation',
    answer: '<|python_tag|>web_search.call(query="harbour tides")',
    calls: [['web_search', { query: 'harbour tides' }]],
  },
  { name: 'Llama 4', answer: '<|python_start|>[read_file(path="notes.txt"), list_dir(path="src")]<|python_end|>', calls: [...NOTES, LIST] },
  { name: 'Llama 3.2, bare list', answer: '[read_file(path="notes.txt")]', calls: NOTES },
  {
    name: 'Llama 3.2, list with literals',
    answer: "[bash(command='echo \"a b\"', timeout_ms=5000), patch(path='a', old_string='b\\n', new_string='', replace_all=False)]",
    calls: [
      ['bash', { command: 'echo "a b"', timeout_ms: 5000 }],
      ['patch', { path: 'a', old_string: 'b\n', new_string: '', replace_all: false }],
    ],
  },
  { name: 'Mistral', answer: '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "notes.txt"}}]', calls: NOTES },
  {
    name: 'Mistral with ids',
    answer:
      '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "notes.txt"}, "id": "abc123XYZ"}, {"name": "list_dir", "arguments": {"path": "src"}, "id": "def456UVW"}]</s>',
    calls: [...NOTES, LIST],
  },
  { name: 'Mistral with a name', answer: '[TOOL_CALLS]read_file{"path": "notes.txt"}', calls: NOTES },
  { name: 'Mistral with argument tokens', answer: '[TOOL_CALLS]read_file[CALL_ID]12345[ARGS]{"path": "notes.txt"}', calls: NOTES },
  {
    name: 'Mistral, two names',
    answer: 'On it.[TOOL_CALLS]read_file[ARGS]{"path": "notes.txt"}[TOOL_CALLS]list_dir[ARGS]{"path": "src"}',
    calls: [...NOTES, LIST],
    text: 'On it.',
  },
  {
    name: 'DeepSeek V3',
    answer:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "notes.txt"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: NOTES,
  },
  {
    name: 'DeepSeek V3, two calls',
    answer:
      'I will look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "notes.txt"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>list_dir\n```json\n{"path": "src"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    calls: [...NOTES, LIST],
    text: 'I will look.',
  },
  {
    name: 'DeepSeek V3.1',
    answer:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "notes.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: NOTES,
  },
  {
    name: 'DeepSeek with ASCII bars',
    answer: '<|tool▁calls▁begin|><|tool▁call▁begin|>read_file<|tool▁sep|>{"path": "notes.txt"}<|tool▁call▁end|><|tool▁calls▁end|>',
    calls: NOTES,
  },
  {
    name: 'DeepSeek V3.2',
    answer:
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="bash">\n<｜DSML｜parameter name="command" string="true">ls -la</｜DSML｜parameter>\n<｜DSML｜parameter name="timeout_ms" string="false">5000</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    calls: [['bash', { command: 'ls -la', timeout_ms: 5000 }]],
  },
  {
    name: 'GLM 4.5',
    answer: '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>notes.txt</arg_value>\n</tool_call>',
    calls: NOTES,
  },
  {
    name: 'GLM 4.7 on one line',
    answer:
      '<tool_call>bash<arg_key>command</arg_key><arg_value>ls -la</arg_value><arg_key>timeout_ms</arg_key><arg_value>5000</arg_value></tool_call><tool_call>list_dir<arg_key>path</arg_key><arg_value>src</arg_value></tool_call>',
    calls: [['bash', { command: 'ls -la', timeout_ms: 5000 }], LIST],
  },
  { name: 'GLM without arguments', answer: '<tool_call>list_dir</tool_call>', calls: [['list_dir', {}]] },
  {
    name: 'Kimi K2',
    answer:
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "notes.txt"}<|tool_call_end|><|tool_calls_section_end|>',
    calls: NOTES,
  },
  {
    name: 'Kimi K2, two calls without the section',
    answer:
      '<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "notes.txt"}<|tool_call_end|><|tool_call_begin|>functions.list_dir:1<|tool_call_argument_begin|>{"path": "src"}<|tool_call_end|>',
    calls: [...NOTES, LIST],
  },
  {
    name: 'Command R7B',
    answer: '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "notes.txt"}}\n]<|END_ACTION|>',
    calls: NOTES,
  },
  {
    name: 'Command R',
    answer:
      'Action: ```json\n[\n    {\n        "tool_name": "read_file",\n        "parameters": {\n            "path": "notes.txt"\n        }\n    }\n]\n```',
    calls: NOTES,
  },
  {
    name: 'ReAct',
    answer: 'Thought: I need the notes.\nAction: read_file\nAction Input: {"path": "notes.txt"}',
    calls: NOTES,
    text: 'Thought: I need the notes.\n',
  },
  {
    name: 'ReAct with an imagined result',
    answer: 'Action: read_file\nAction Input: {"path": "notes.txt"}\nObservation: The notes say hello.\nFinal Answer: hello',
    calls: NOTES,
    text: 'Observation: The notes say hello.\nFinal Answer: hello',
  },
  {
    name: 'structured chat of LangChain',
    answer: 'Thought: I need the notes.\nAction:\n```json\n{\n  "action": "read_file",\n  "action_input": {"path": "notes.txt"}\n}\n```',
    calls: NOTES,
    text: 'Thought: I need the notes.\n',
  },
  {
    name: 'gpt-oss channel',
    answer: '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "notes.txt"}<|call|>',
    calls: NOTES,
  },
  {
    name: 'InternLM',
    answer: '<|action_start|><|plugin|>\n{"name": "read_file", "parameters": {"path": "notes.txt"}}<|action_end|>\n',
    calls: NOTES,
  },
  { name: 'Granite', answer: '<|tool_call|>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]', calls: NOTES },
  { name: 'Phi 4', answer: '<|tool_call|>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]<|/tool_call|>', calls: NOTES },
  {
    name: 'Hunyuan and Jamba',
    answer: '<tool_calls>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]</tool_calls>',
    calls: NOTES,
  },
  {
    name: 'MiniMax M2',
    answer: '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">notes.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    calls: NOTES,
  },
  {
    name: 'invoke tags',
    answer:
      'I will check.\n<function_calls>\n<invoke name="read_file">\n<parameter name="path">notes.txt</parameter>\n</invoke>\n<invoke name="list_dir">\n<parameter name="path">src</parameter>\n</invoke>\n</function_calls>',
    calls: [...NOTES, LIST],
    text: 'I will check.\n',
  },
  {
    name: 'Seed-OSS',
    answer: '<seed:tool_call>\n<function=read_file>\n<parameter=path>notes.txt</parameter>\n</function>\n</seed:tool_call>',
    calls: NOTES,
  },
  { name: 'LFM2', answer: '<|tool_call_start|>[read_file(path="notes.txt")]<|tool_call_end|>', calls: NOTES },
  {
    name: 'LongCat',
    answer: '<longcat_tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</longcat_tool_call>',
    calls: NOTES,
  },
  { name: 'Nemotron', answer: '<TOOLCALL>[{"name": "read_file", "arguments": {"path": "notes.txt"}}]</TOOLCALL>', calls: NOTES },
  { name: 'fenced JSON', answer: '```json\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n```', calls: NOTES },
  {
    name: 'fenced JSON behind text',
    answer: 'I will read the notes now:\n\n```json\n{\n  "name": "read_file",\n  "arguments": {\n    "path": "notes.txt"\n  }\n}\n```\n',
    calls: NOTES,
    text: 'I will read the notes now:\n\n',
  },
  { name: 'fence without a label', answer: '```\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n```', calls: NOTES },
  {
    name: 'fence with the label tool_call',
    answer: '```tool_call\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n```',
    calls: NOTES,
  },
  {
    name: 'fenced list',
    answer: '```json\n[{"name": "read_file", "arguments": {"path": "notes.txt"}}, {"name": "list_dir", "arguments": {"path": "src"}}]\n```',
    calls: [...NOTES, LIST],
  },
  { name: 'fence that never closes', answer: '```json\n{"name": "read_file", "arguments": {"path": "notes.txt"}}', calls: NOTES },
  {
    name: 'two fences at the end',
    answer:
      '```json\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n```\n\n```json\n{"name": "list_dir", "arguments": {"path": "src"}}\n```',
    calls: [...NOTES, LIST],
  },
  {
    name: 'fenced marker',
    answer: 'I will look.\n```xml\n<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>\n```',
    calls: NOTES,
    text: 'I will look.\n',
  },
  { name: 'fence of Gemma', answer: '```tool_code\nread_file(path="notes.txt")\n```', calls: NOTES },
  {
    name: 'OpenAI shape in text',
    answer:
      '{"tool_calls": [{"id": "call_9", "type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"notes.txt\\"}"}}]}',
    calls: NOTES,
  },
  {
    name: 'OpenAI shape in a fence',
    answer: '```json\n{"type": "function", "function": {"name": "read_file", "arguments": {"path": "notes.txt"}}}\n```',
    calls: NOTES,
  },
  { name: 'JSON with an end tag alone', answer: '{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>', calls: NOTES },
  {
    name: 'a question to the person',
    answer: '<tool_call>{"name": "clarify", "arguments": {"question": "Which file?", "choices": ["a", "b"]}}</tool_call>',
    calls: [['clarify', { question: 'Which file?', choices: ['a', 'b'] }]],
  },
  {
    name: 'a marker behind inline code and a closed quotation',
    answer: 'The file `notes.txt` is "important".\n<tool_call>{"name": "read_file", "arguments": {"path": "notes.txt"}}</tool_call>',
    calls: NOTES,
    text: 'The file `notes.txt` is "important".\n',
  },
  {
    name: 'a marker behind a code block',
    answer:
      'The last output was:\n```\n{"name": "x"}\n```\n<tool_call>{"name": "read_file", "arguments": {"path": "notes.txt"}}</tool_call>',
    calls: NOTES,
    text: 'The last output was:\n```\n{"name": "x"}\n```\n',
  },
];
