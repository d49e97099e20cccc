/** Requests and answers of the routes under /prompts. */
import { Type } from '@sinclair/typebox';
import { closed, PAGE_QUERY, searchText, Time } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional } from '../../utils/schema_types';
import { NOT_BLANK } from '../../wire/not_blank';

/** The longest text, in UTF-16 units. */
const MAX_TEXT_UNITS = 20_000;
const NAME = '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$';

const Variable = closedObject({
  name: Type.String({ pattern: '^[^{}\\s]{1,40}$', ...says('as in the text, between {{ and }}', '与文字中 {{ 和 }} 之间的名称相同') }),
  label: Optional.String({ maxLength: 100, ...says('the question of the form; the name without it', '表单中的问题；省略则为名称') }),
  default: Optional.String({ maxLength: 2_000, ...says('the value that the form offers', '表单给出的默认值') }),
});

export const PromptInput = closedObject(
  {
    name: Type.String({
      pattern: NAME,
      ...says('unique in the tenant: 1 to 40 lower case letters, digits and -', '在租户内唯一：1 到 40 个小写字母、数字和 -'),
    }),
    text: Type.String({
      maxLength: MAX_TEXT_UNITS,
      pattern: NOT_BLANK,
      ...says('{{name}} stands for a variable', '{{名称}} 表示一个变量'),
    }),
    variables: Optional.Array(Variable, {
      maxItems: 20,
      ...says(
        'describe variables of the text; those that the text does not have are left out, and its others are added',
        '描述文字中的变量；文字中没有的会被去掉，其余的会自动加入',
      ),
    }),
  },
  {
    examples: [
      { name: 'review', text: 'Review {{file}} for bugs.', variables: [{ name: 'file', label: 'Which file?', default: 'src/main.ts' }] },
    ],
  },
);
export const PromptChange = Type.Partial(PromptInput, { ...closed, examples: [{ text: 'Review {{file}} for security bugs.' }] });

export const PromptsQuery = closedObject({
  ...PAGE_QUERY,
  q: Type.Optional(searchText('words of the name and the text', '名称和文字中的词')),
  prefix: Optional.String({ pattern: '^[a-z0-9-]{1,40}$', ...says('the beginning of the name', '名称的开头') }),
});

export const Prompt = Type.Object({
  id: Type.String(),
  name: Type.String(),
  text: Type.String(),
  variables: Type.Array(
    Type.Object(Variable.properties),
    says('one of each variable in the text, in its order', '文字中的每个变量各一项，按文字中的顺序'),
  ),
  keyName: Optional.String(says('the key that wrote the present text', '写下现有文字的密钥')),
  createdAt: Time,
  updatedAt: Time,
});
