/** Requests and answers of the routes under /mcp-servers. */
import { Type } from '@sinclair/typebox';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';
import { PAGE_QUERY } from './common';

export const McpServersQuery = closedObject(PAGE_QUERY);

export const McpServer = Type.Object({
  name: Type.String(says('as in config/mcp.yaml; the toolset of its tools', '与 config/mcp.yaml 中相同；也是其工具所属的工具集')),
  transport: oneOf(['stdio', 'http', 'sse'], says('sse: the older HTTP transport', 'sse：旧版 HTTP 传输')),
  state: oneOf(
    ['connected', 'connecting', 'failed', 'disabled'],
    says('failed: not connected now, or described wrongly in the file', 'failed：目前未连接，或文件中的描述有误'),
  ),
  tools: Type.Array(Type.String(), says('names of its tools that can be called, as in the catalog', '可调用的工具名称，与目录中相同')),
  error: Optional.String(says('why it is not connected', '未连接的原因')),
  enabled: Type.Boolean(says('false: the file turns it off or describes it wrongly', 'false：文件将其停用，或描述有误')),
  problems: Type.Array(Type.String(), says('what an operator should mend', '需要运维人员处理的问题')),
  server: Optional.Object({ name: Type.String(), version: Type.String() }, says('what the server calls itself', '服务器自报的名称和版本')),
  needsLogin: Optional.Boolean(
    says('true: a person has to log in, for the first time or for more rights', 'true：需要用户登录，首次登录或为了更多权限'),
  ),
  hasLogin: Optional.Boolean(says('true: a person lets the gateway in at the server', 'true：由用户在该服务器登录，授权网关访问')),
  nextTryMs: Optional.Integer(says('milliseconds until it is connected again', '距下次重连的毫秒数')),
});

export const McpAppQuery = closedObject({
  uri: Type.String({
    maxLength: 500,
    pattern: '^ui://',
    ...says('the address of the app, as in `details.app.uri` of the call', '应用的地址，即调用的 `details.app.uri`'),
  }),
});

export const McpApp = Type.Object({
  html: Type.String(says('the page; it belongs in a frame without rights', '应用页面；应放在没有任何权限的框架中')),
});

export const McpLoginRequest = closedObject({
  redirectUrl: Type.String({
    maxLength: 2_000,
    examples: ['http://127.0.0.1:7001/api/v1/mcp-servers/callback'],
    ...says('the address of getMcpLoginCallback, as the browser reaches it', 'getMcpLoginCallback 的地址，以浏览器可访问的形式给出'),
  }),
});

export const McpLoginAddress = Type.Object({
  url: Type.String(says('the page of the server at which a person logs in', '用户登录所用的服务器页面')),
});

export const McpLoginQuery = Type.Object({
  state: Type.String({ maxLength: 200 }),
  code: Optional.String({ maxLength: 4_000 }),
  iss: Optional.String({ maxLength: 2_000 }),
  error: Optional.String({ maxLength: 200 }),
  error_description: Optional.String({ maxLength: 2_000 }),
});
