import { riskOf } from '../../../src/runtime/approval/approval_risk';

it.each([
  ['destructive', { name: 'bash', effect: 'write' }, { command: 'cd build && rm -rf .' }],
  ['destructive', { name: 'memory_forget', effect: 'write', memory: 'removes' }, { id: 'm1' }],
  ['outside', { name: 'fetch_page', effect: 'read', reaches: 'outside' }, { url: 'https://example.org' }],
  ['outside', { name: 'send_mail', effect: 'external' }, {}],
  ['change', { name: 'bash', effect: 'write' }, { command: 'npm test' }],
  ['read', { name: 'read_file', effect: 'read' }, { path: '.env' }],
] as const)('names the risk %s of %j with %j', (risk, tool, args) => {
  expect(riskOf(tool, args)).toBe(risk);
});
