/** SCIM 2.0: a directory makes, changes and removes the people of a tenant, and its groups. */
import { Controller, Param } from '@midwayjs/core';
import { Type } from '@sinclair/typebox';
import { bodyOf } from '../../../controller/http_request';
import { RestController, routesWith } from '../../../controller/route';
import { InjectService } from '../../../inject_service';
import { decodeId } from '../../../wire/decode';
import type { PeopleServices } from '../services';
import { answer, callFor, readAttributes, readChange, readQuery } from './scim_call';
import type { ScimDeps } from './scim_deps';
import { SCIM_TYPE } from './scim_error';

const TAG = {
  name: 'scim',
  description: { en: 'SCIM 2.0 for the directory of an organisation.', 'zh-CN': '供组织目录使用的 SCIM 2.0。' },
};
const Resource = Type.Object({}, { additionalProperties: true });
const TYPES = [SCIM_TYPE, 'application/json'];
const shown = { 200: { description: { en: 'In the form of RFC 7643', 'zh-CN': '采用 RFC 7643 的格式' }, bytes: TYPES } };
const made = { 201: { description: { en: 'Made', 'zh-CN': '已创建' }, bytes: TYPES } };
const changed = { ...shown, 204: { description: { en: 'The change says nothing new', 'zh-CN': '没有任何变化' } } };
const gone = { 204: { description: { en: 'Removed', 'zh-CN': '已删除' } } };

const { Get, Post, Put, Patch, Delete } = routesWith({ scope: 'admin', tag: TAG });

@Controller('/scim/v2')
export class ScimController extends RestController {
  @InjectService<PeopleServices>() scimDeps!: ScimDeps;

  @Get('/ServiceProviderConfig', 'readScimConfig', {
    takesAnyQuery: true,
    summary: { en: 'Read which parts of SCIM the gateway has', 'zh-CN': '读取网关支持的 SCIM 功能' },
    answers: shown,
  })
  async config() {
    return answer(this.ctx, resources => new resources.ServiceProviderConfig().read());
  }

  @Get('/ResourceTypes', 'listScimResourceTypes', {
    takesAnyQuery: true,
    summary: { en: 'List the kinds of resources', 'zh-CN': '列出资源类型' },
    answers: shown,
  })
  async resourceTypes() {
    return answer(this.ctx, resources => new resources.ResourceType().read());
  }

  @Get('/ResourceTypes/:id', 'readScimResourceType', {
    takesAnyQuery: true,
    summary: { en: 'Read one of the kinds of resources', 'zh-CN': '读取一个资源类型' },
    answers: shown,
  })
  async resourceType(@Param('id') id: string) {
    return answer(this.ctx, resources => new resources.ResourceType(id).read());
  }

  @Get('/Schemas', 'listScimSchemas', {
    takesAnyQuery: true,
    summary: { en: 'List the schemas', 'zh-CN': '列出schema' },
    answers: shown,
  })
  async schemas() {
    return answer(this.ctx, resources => new resources.Schema().read());
  }

  @Get('/Schemas/:id', 'readScimSchema', {
    takesAnyQuery: true,
    summary: { en: 'Read one of the schemas', 'zh-CN': '读取一个schema' },
    answers: shown,
  })
  async schema(@Param('id') id: string) {
    return answer(this.ctx, resources => new resources.Schema(id).read());
  }

  @Get('/Users', 'listScimUsers', {
    takesAnyQuery: true,
    summary: { en: 'Find users', 'zh-CN': '查找用户' },
    answers: shown,
  })
  async findUsers() {
    return answer(this.ctx, resources => new resources.User(undefined, readQuery(this.ctx)).read(callFor(this.ctx, this.scimDeps)));
  }

  @Post('/Users', 'createScimUser', {
    takesAnyQuery: true,
    summary: { en: 'Make a user', 'zh-CN': '创建用户' },
    body: Resource,
    answers: made,
    errors: ['forbidden', 'quota_exceeded', 'store_unavailable'],
  })
  async createUser() {
    const body = bodyOf(this.ctx, Resource);
    this.ctx.status = 201;
    return answer(this.ctx, resources => new resources.User().write(body, callFor(this.ctx, this.scimDeps)));
  }

  @Get('/Users/:id', 'readScimUser', {
    takesAnyQuery: true,
    summary: { en: 'Read a user', 'zh-CN': '读取用户' },
    answers: shown,
  })
  async readUser(@Param('id') id: string) {
    return answer(this.ctx, resources => new resources.User(decodeId(id), readAttributes(this.ctx)).read(callFor(this.ctx, this.scimDeps)));
  }

  @Put('/Users/:id', 'replaceScimUser', {
    takesAnyQuery: true,
    summary: { en: 'Replace what is known of a user', 'zh-CN': '替换用户的信息' },
    body: Resource,
    answers: shown,
    errors: ['forbidden', 'store_unavailable'],
  })
  async replaceUser(@Param('id') id: string) {
    const body = bodyOf(this.ctx, Resource);
    return answer(this.ctx, resources => new resources.User(decodeId(id)).write(body, callFor(this.ctx, this.scimDeps)));
  }

  @Patch('/Users/:id', 'updateScimUser', {
    takesAnyQuery: true,
    summary: { en: 'Change a user', 'zh-CN': '更改用户' },
    body: Resource,
    answers: changed,
    errors: ['forbidden', 'store_unavailable'],
  })
  async updateUser(@Param('id') id: string) {
    const change = readChange(bodyOf(this.ctx, Resource));
    return answer(this.ctx, resources => new resources.User(decodeId(id)).patch(change, callFor(this.ctx, this.scimDeps)));
  }

  @Delete('/Users/:id', 'removeScimUser', {
    takesAnyQuery: true,
    summary: { en: 'Remove a user', 'zh-CN': '删除用户' },
    answers: gone,
    errors: ['forbidden', 'store_unavailable'],
  })
  async removeUser(@Param('id') id: string) {
    return answer(this.ctx, resources => new resources.User(decodeId(id)).dispose(callFor(this.ctx, this.scimDeps)));
  }

  @Get('/Groups', 'listScimGroups', {
    takesAnyQuery: true,
    summary: { en: 'Find groups', 'zh-CN': '查找组' },
    answers: shown,
  })
  async findGroups() {
    return answer(this.ctx, resources => new resources.Group(undefined, readQuery(this.ctx)).read(callFor(this.ctx, this.scimDeps)));
  }

  @Post('/Groups', 'createScimGroup', {
    takesAnyQuery: true,
    summary: { en: 'Make a group', 'zh-CN': '创建组' },
    body: Resource,
    answers: made,
    errors: ['forbidden', 'quota_exceeded', 'store_unavailable'],
  })
  async createGroup() {
    const body = bodyOf(this.ctx, Resource);
    this.ctx.status = 201;
    return answer(this.ctx, resources => new resources.Group().write(body, callFor(this.ctx, this.scimDeps)));
  }

  @Get('/Groups/:id', 'readScimGroup', {
    takesAnyQuery: true,
    summary: { en: 'Read a group', 'zh-CN': '读取组' },
    answers: shown,
  })
  async readGroup(@Param('id') id: string) {
    return answer(this.ctx, resources =>
      new resources.Group(decodeId(id), readAttributes(this.ctx)).read(callFor(this.ctx, this.scimDeps)),
    );
  }

  @Put('/Groups/:id', 'replaceScimGroup', {
    takesAnyQuery: true,
    summary: { en: 'Replace what is known of a group', 'zh-CN': '替换组的信息' },
    body: Resource,
    answers: shown,
    errors: ['forbidden', 'store_unavailable'],
  })
  async replaceGroup(@Param('id') id: string) {
    const body = bodyOf(this.ctx, Resource);
    return answer(this.ctx, resources => new resources.Group(decodeId(id)).write(body, callFor(this.ctx, this.scimDeps)));
  }

  @Patch('/Groups/:id', 'updateScimGroup', {
    takesAnyQuery: true,
    summary: { en: 'Change a group', 'zh-CN': '更改组' },
    body: Resource,
    answers: changed,
    errors: ['forbidden', 'store_unavailable'],
  })
  async updateGroup(@Param('id') id: string) {
    const change = readChange(bodyOf(this.ctx, Resource));
    return answer(this.ctx, resources => new resources.Group(decodeId(id)).patch(change, callFor(this.ctx, this.scimDeps)));
  }

  @Delete('/Groups/:id', 'removeScimGroup', {
    takesAnyQuery: true,
    summary: { en: 'Remove a group', 'zh-CN': '删除组' },
    answers: gone,
    errors: ['forbidden', 'store_unavailable'],
  })
  async removeGroup(@Param('id') id: string) {
    return answer(this.ctx, resources => new resources.Group(decodeId(id)).dispose(callFor(this.ctx, this.scimDeps)));
  }
}
