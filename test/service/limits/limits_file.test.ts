import { parseYaml } from '../../../src/adapter/config/yaml_file';
import { toLimitSet } from '../../../src/service/limits/limits_file';

it.each([
  ['default: { requestPerMinute: 5 }', /limits\.yaml.*requestPerMinute/],
  ['default:\n  tokensPerDay: -1', /limits\.yaml: \/default\/tokensPerDay: .*line 2/],
  ['keys: { "a b": {} }', /limits\.yaml/],
  ['tenants: [acme]', /limits\.yaml.*tenants/],
])('refuses %j, and names file and field', (text, problem) => {
  expect(() => toLimitSet(parseYaml('limits.yaml', text))).toThrow(problem);
});
