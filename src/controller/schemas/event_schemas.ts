/** The events of a run as the document shows them: one named schema an event, told apart by `type`. */
import { type TSchema, Type } from '@sinclair/typebox';
import { RUN_EVENT_DATA, type RunEventType, TodoItem } from '../../port/run_event';
import { says } from '../../utils/bilingual';
import { Time } from './common';

/** Chinese descriptions of a todo item. Its schema is shown to the model, in English, so the Chinese is added here. */
const DocumentedTodo = Type.Object({
  id: { ...TodoItem.properties.id, ...says('short unique id, kept for the life of the item', '简短的唯一 id，在条目存续期间不变') },
  content: { ...TodoItem.properties.content, ...says('what is to be done', '要做的事') },
  status: { ...TodoItem.properties.status, ...says('at most one item is in_progress', '同一时间最多一项为 in_progress') },
});

const DATA: Record<RunEventType, TSchema> = {
  ...RUN_EVENT_DATA,
  todo_update: Type.Object({ ...RUN_EVENT_DATA.todo_update.properties, todos: Type.Array(DocumentedTodo) }),
};

/** `run_start` -> `RunStartEvent`. */
export const eventSchemaName = (type: string): string =>
  `${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

const toEvent = (type: string, data: TSchema) =>
  Type.Object({
    v: Type.Literal(1),
    type: Type.Literal(type),
    sessionId: Type.String(),
    runId: Type.String(),
    seq: Type.Integer({ minimum: 1, ...says('number in its run: from 1, without a gap', '在运行中的编号：从 1 开始，没有间断') }),
    ts: Time,
    data,
  });

/** Name in the document -> schema of the whole event. */
export const EVENT_SCHEMAS: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries(DATA).map(([type, data]) => [eventSchemaName(type), toEvent(type, data)]),
);

const references = Object.keys(DATA).map(type => [type, `#/components/schemas/${eventSchemaName(type)}`] as const);

/** Schema of any event for the OpenAPI document; EVENT_SCHEMAS validate the single events. */
export const RunEvent = Type.Unsafe({
  ...says('more types may come; ignore the ones that you do not know', '以后可能增加类型；请忽略不认识的类型'),
  oneOf: references.map(([, $ref]) => ({ $ref })),
  discriminator: { propertyName: 'type', mapping: Object.fromEntries(references) },
});
