/** DOOR 3, conversations: sessions of which a program keeps the id and OpenAI's API the shape. */
import { Controller, Param } from '@midwayjs/core';
import { anyBodyOf, markReplay, onceOf, principalOf, queryOf, tenantOf } from '../../../controller/http_request';
import { CLIENT_QUERY } from '../../../controller/model_door/client_query';
import { withoutNulls } from '../../../controller/model_door/foreign_fields';
import { done, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { IdempotencyHeader } from '../../../controller/schemas/common';
import { invalidField } from '../../../errors';
import { InjectService } from '../../../inject_service';
import type { SessionRecord } from '../../../port/store/sessions';
import type { ImageService } from '../../../service/image/image_service';
import { decode } from '../../../wire/decode';
import { imageUnitsOf } from '../../../wire/image_units';
import type { FileServices } from '../files/file_services';
import type { InputFiles } from '../files/input_files';
import type { CompactionSeals, ItemSealServices } from '../items/compaction_seals';
import { OPENAI_TAG, READ_QUERY } from '../shared/openai_route';
import { toSeconds } from '../shared/to_seconds';
import { toConversationId } from './conversation_id';
import { itemsOfMessage } from './conversation_items';
import {
  Conversation,
  ConversationChange,
  ConversationDeleted,
  ConversationItem,
  ConversationItems,
  ItemsQuery,
  NewConversation,
  NewItems,
} from './conversation_schemas';
import type { ConversationService } from './conversation_service';
import { type ConversationServices, readNewItems, showsImageUrls, toWireItem, WRITE_QUERY } from './item_requests';
import type { ItemPage, ItemService } from './item_service';
import type { NewMessages } from './new_messages';

const CONVERSATION = done(named('Conversation', Conversation));
const ITEMS = done(named('ConversationItems', ConversationItems));

const DEFAULT_ITEMS = 20;
const MAX_ITEMS = 100;

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: OPENAI_TAG });

@Controller('/v1/conversations')
export class ConversationsController extends RestController {
  @InjectService<ConversationServices>() conversationService!: ConversationService;
  @InjectService<ConversationServices>() itemService!: ItemService;
  @InjectService<FileServices>() inputFiles!: InputFiles;
  @InjectService<ItemSealServices>() compactionSeals!: CompactionSeals;
  @InjectService() imageService!: ImageService;

  @Post('/', 'createConversation', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Create a conversation', 'zh-CN': '创建一个对话' },
    description: {
      en: 'A conversation is a session: people see and continue it on the page. Responses that name it are its runs.',
      'zh-CN': '对话即会话：人可以在网页上查看并继续它。指明它的响应就是它的运行。',
    },
    headers: IdempotencyHeader,
    body: NewConversation,
    longField: 'items',
    imagesIn: { fields: ['items'], unitsOf: imageUnitsOf },
    answers: CONVERSATION,
    errors: ['idempotency_mismatch', 'store_unavailable'],
  })
  async create() {
    const body = decode(NewConversation, withoutNulls(anyBodyOf(this.ctx)));
    const { metadata, items = [] } = body;
    const readMessages = items.length > 0 ? () => this.readItems(items) : undefined;
    const once = onceOf(this.ctx, 'createConversation', body);
    const session = await this.conversationService.createConversation(principalOf(this.ctx), { metadata, readMessages }, once);
    markReplay(this.ctx, once);
    return this.answer(session);
  }

  @Get('/:id', 'getConversation', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'Read a conversation', 'zh-CN': '读取一个对话' },
    answers: CONVERSATION,
  })
  async get(@Param('id') id: string) {
    return this.answer(await this.find(id));
  }

  @Post('/:id', 'updateConversation', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Replace the metadata of a conversation', 'zh-CN': '替换一个对话的元数据' },
    body: ConversationChange,
    answers: CONVERSATION,
    errors: ['store_unavailable'],
  })
  async update(@Param('id') id: string) {
    const { metadata = {} } = decode(ConversationChange, withoutNulls(anyBodyOf(this.ctx)));
    return this.answer(await this.conversationService.replaceMetadata(principalOf(this.ctx), id, metadata));
  }

  @Delete('/:id', 'deleteConversation', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Delete a conversation', 'zh-CN': '删除一个对话' },
    description: {
      en: 'With its items and responses. A response in progress is cancelled first.',
      'zh-CN': '连同其条目和响应一起删除。进行中的响应会先被取消。',
    },
    session: 'own',
    answers: done(named('ConversationDeleted', ConversationDeleted)),
    errors: ['store_unavailable'],
  })
  async delete(@Param('id') id: string) {
    await this.conversationService.deleteConversation(principalOf(this.ctx), id);
    return { id, object: 'conversation.deleted', deleted: true };
  }

  @Get('/:id/items', 'listConversationItems', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'List the items of a conversation', 'zh-CN': '列出一个对话的条目' },
    description: {
      en: "Its messages, and the calls and results of the agent's tools and of the caller's. An image has its data URL with include=message.input_image.image_url.",
      'zh-CN': '即它的消息，以及智能体的工具和调用方函数的调用与结果。加上 include=message.input_image.image_url 时，图片带有其 data URL。',
    },
    query: ItemsQuery,
    answers: ITEMS,
  })
  async listItems(@Param('id') id: string) {
    const { limit = String(DEFAULT_ITEMS), order = 'desc', after } = queryOf(this.ctx, ItemsQuery);
    const count = Number(limit);
    if (count < 1 || count > MAX_ITEMS) throw invalidField('/limit', `must be 1 to ${MAX_ITEMS}.`, `必须在 1 到 ${MAX_ITEMS} 之间。`);
    const session = await this.find(id);
    return this.answerItems(await this.itemService.listItems(session, { limit: count, order, after }));
  }

  @Post('/:id/items', 'createConversationItems', {
    ignoredQuery: WRITE_QUERY,
    summary: { en: 'Add items to a conversation', 'zh-CN': '向一个对话添加条目' },
    description: { en: 'Starts no run: the next response reads them.', 'zh-CN': '不启动运行：由下一个响应读取。' },
    headers: IdempotencyHeader,
    body: NewItems,
    longField: 'items',
    imagesIn: { fields: ['items'], unitsOf: imageUnitsOf },
    answers: ITEMS,
    errors: ['session_busy', 'idempotency_mismatch', 'store_unavailable'],
  })
  async createItems(@Param('id') id: string) {
    const body = decode(NewItems, withoutNulls(anyBodyOf(this.ctx)));
    const session = await this.find(id);
    const once = onceOf(this.ctx, 'createConversationItems', { id, body });
    const records = await this.itemService.addMessages(session, () => this.readItems(body.items), once);
    markReplay(this.ctx, once);
    this.ctx.status = 200;
    return this.answerItems({ data: records.flatMap(record => itemsOfMessage(record).map(item => ({ item, record }))), hasMore: false });
  }

  @Get('/:id/items/:itemId', 'getConversationItem', {
    ignoredQuery: READ_QUERY,
    summary: { en: 'Read an item of a conversation', 'zh-CN': '读取一个对话的条目' },
    answers: done(named('ConversationItem', ConversationItem)),
  })
  async getItem(@Param('id') id: string, @Param('itemId') itemId: string) {
    const found = await this.itemService.getItem(await this.find(id), itemId);
    return toWireItem(found, { images: this.imageService, seals: this.compactionSeals, showsUrls: showsImageUrls(this.ctx) });
  }

  @Delete('/:id/items/:itemId', 'deleteConversationItem', {
    ignoredQuery: CLIENT_QUERY,
    summary: { en: 'Delete an item of a conversation', 'zh-CN': '删除一个对话的条目' },
    description: { en: 'Later responses do not read it. Answers with the conversation.', 'zh-CN': '之后的响应不再读取它。返回该对话。' },
    answers: CONVERSATION,
    errors: ['session_busy', 'store_unavailable'],
  })
  async deleteItem(@Param('id') id: string, @Param('itemId') itemId: string) {
    const session = await this.find(id);
    await this.itemService.deleteItem(principalOf(this.ctx), session, itemId);
    return this.answer(session);
  }

  private find(id: string): Promise<SessionRecord> {
    return this.conversationService.getConversation(tenantOf(this.ctx), id);
  }

  private readItems(items: readonly unknown[]): Promise<NewMessages> {
    const caller = principalOf(this.ctx);
    return readNewItems(items, {
      caller,
      images: this.imageService,
      takeFile: this.inputFiles.takerFor(caller),
      openSummary: this.compactionSeals.openerFor(caller.tenantId),
    });
  }

  private answer({ id, createdAt, metadata = {} }: SessionRecord) {
    this.ctx.status = 200;
    return { id: toConversationId(id), object: 'conversation', created_at: toSeconds(createdAt), metadata };
  }

  private async answerItems({ data, hasMore }: ItemPage) {
    const options = { images: this.imageService, seals: this.compactionSeals, showsUrls: showsImageUrls(this.ctx) };
    const items = await Promise.all(data.map(found => toWireItem(found, options)));
    return { object: 'list', data: items, first_id: items[0]?.id ?? null, last_id: items.at(-1)?.id ?? null, has_more: hasMore };
  }
}
