import { TodoItem } from '../port/run_event';
import { closedObject, Optional } from '../utils/schema_types';
import { defineTool, errorResult, inLocale, type ToolContext, ToolInputError, textResult } from './common';

const MAX_ITEMS = 50;

const TodoParameters = closedObject({
  todos: Optional.Array(TodoItem, { maxItems: MAX_ITEMS, description: 'Items in order of priority. Leave out to read the plan as it is' }),
  merge: Optional.Boolean({
    description: 'true: update known ids in place and append new ones. false (default): these items become the whole plan',
  }),
});

export const todoTool = defineTool({
  name: 'todo',
  toolset: 'planning',
  label: 'Plan',
  description:
    'Keeps the plan of this session, which the person sees. Use it for work of several steps, several files or several wishes: write the plan first, then update it as you go. Not for a single small step. ' +
    `Without arguments it reads the plan. With todos it replaces the plan (an empty list clears it), or with merge=true changes only the items named by id. Order is priority, at most ${MAX_ITEMS} items, only one may be in_progress. ` +
    'Mark an item completed at once when it is done, cancelled when it is no longer wanted. Always returns the whole plan.',
  whenToUse: [
    {
      en: 'The work has several steps → todo before the first step, and again after each.',
      'zh-CN': '工作分好几步 → 动手之前先 todo，每完成一步再更新一次。',
    },
  ],
  howToUse: {
    title: { en: '## Planning', 'zh-CN': '## 做计划' },
    order: 10,
    lines: [
      {
        en: 'First judge the size of the task. Use todo when it takes two or more real steps, touches several files, needs finding out before doing, or when several things are asked at once.',
        'zh-CN': '先估计任务大小。需要两个或更多实际步骤、涉及多个文件、要先弄清再动手、或一次提了好几件事，就使用 todo。',
      },
      {
        en: 'Skip it for one command, one look, one small edit or a question.',
        'zh-CN': '一条命令、看一眼、一处小改动或一个问题，则不需要。',
      },
      {
        en: 'Items are short, concrete and checkable, in the order of work. Exactly one is in_progress while you work; mark it completed the moment it is, not in bulk at the end.',
        'zh-CN':
          '每一项都要短、具体、能检验，按工作顺序排列。工作时恰好有一项是 in_progress；做完一项立刻标为 completed，不要留到最后一起标。',
      },
      {
        en: 'The person follows the list live. When the plan changes, change the list; mark what is no longer wanted as cancelled.',
        'zh-CN': '用户在实时看着这个列表。计划变了，列表就跟着变；不再需要的项标为 cancelled。',
      },
    ],
  },
  effect: 'idempotent',
  translations: {
    'zh-CN': {
      label: '任务计划',
      description:
        '维护本会话的任务计划，用户可以看到。用于包含多个步骤、多个文件或多项要求的工作：先写计划，再随进展更新。单个小步骤不需要。' +
        `不带参数时读取计划。带 todos 时替换整个计划（空列表即清空）；merge=true 时只按 id 更新相应条目。顺序即优先级，最多 ${MAX_ITEMS} 项，同一时间只能有一项 in_progress。` +
        '完成后立即标记 completed，不再需要的标记 cancelled。总是返回完整计划。',
      parameters: {
        todos: '按优先级排序的条目。省略则读取当前计划',
        'todos.id': '简短且唯一的编号，条目存在期间保持不变',
        'todos.content': '要做的事',
        'todos.status': '状态；最多一项是 in_progress',
        merge: 'true：按 id 更新已有条目并追加新条目。false（默认）：这些条目成为整个计划',
      },
    },
  },
  parameters: TodoParameters,
  async execute({ todos, merge = false }, ctx) {
    if (todos) {
      const refused = write(todos, merge, ctx);
      if (refused) return errorResult(refused);
    }
    const plan = { todos: ctx.todos.read(), summary: ctx.todos.summary() };
    if (ctx.sessionId !== undefined) return textResult(JSON.stringify(plan), plan);
    const note = inLocale(
      ctx,
      'Nothing is kept: a direct call has no session, so it has no plan.',
      '不会保存任何内容：直接调用没有会话，也就没有计划。',
    );
    return textResult(JSON.stringify({ ...plan, note }), { ...plan, kept: false });
  },
});

/** Writes the plan. Returns the refusal when it was left unchanged. */
function write(todos: readonly TodoItem[], merge: boolean, ctx: ToolContext): string | undefined {
  const known = merge ? ctx.todos.read().map(item => item.id) : [];
  const count = new Set([...known, ...todos.map(item => item.id)]).size;
  if (count > MAX_ITEMS) {
    return inLocale(
      ctx,
      `The plan would have ${count} items; at most ${MAX_ITEMS} are kept. Replace it (merge=false) by a shorter one without finished items.`,
      `计划将有 ${count} 项，最多保留 ${MAX_ITEMS} 项。请用不含已完成条目的更短计划替换（merge=false）。`,
    );
  }
  try {
    ctx.todos.write(todos, merge);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof ToolInputError)) throw thrown;
    return inLocale(
      ctx,
      `The plan was not changed. ${thrown.message} Set the others to pending or completed in the same call.`,
      `计划未改动。${thrown.messageZh}请在同一次调用中把其他条目设为 pending 或 completed。`,
    );
  }
}
