/** Types of every route, made from the OpenAPI document by `npm run docs:client`. */

export interface paths {
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs, newest first
         * @description Child runs are left out unless parent or sessionId asks for them.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a run
         * @description Waits for the result by default. Ask for text/event-stream to watch the events, prefer respond-async to get the id at once, or prefer wait=N to get it when the run takes longer than N seconds. The run is stored before the first byte of an answer and goes on when the caller leaves.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a run and its result so far */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or watch the events of a run
         * @description Answers a JSON page of stored events, or with Accept: text/event-stream everything after the cursor and then live events until run_end.
         */
        get: operations["listRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description Answers when the run has ended, with its final status.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/tool-calls/{toolCallId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop one tool call
         * @description The run goes on with an error result for it.
         */
        post: operations["cancelToolCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{id}/steer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message into a run
         * @description The run reads the message between two model calls. When the run has ended before that, the message starts the next run of the session.
         */
        post: operations["steerRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain what a run would send to the model
         * @description Takes the same body as POST /runs; runs nothing and stores nothing.
         */
        post: operations["previewRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clarifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List questions, oldest first */
        get: operations["listClarifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clarifications/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question
         * @description The first answer wins; later ones get 409 clarification_closed with the winning answer.
         */
        post: operations["answerClarification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tool calls that need approval, oldest first
         * @description At most 20 rows a page, whatever the limit: each holds whole arguments.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Allow or deny a tool call
         * @description The first decision wins; later ones get 409 clarification_closed with it. It counts for exactly the arguments that were asked about, or for those given with it.
         */
        post: operations["decideApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions, most recently used first
         * @description Sessions of child runs and of OpenAI clients are left out unless parent or origin asks for them.
         */
        get: operations["listSessions"];
        put?: never;
        /** Create a session */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a session */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Delete a session
         * @description Cancels its runs, then removes the session with its runs, messages, events, questions, plan, the long results kept in .neta/results, and the sessions of its child runs. Other files in the workspace stay.
         */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /**
         * Change a session
         * @description Fields that are left out stay as they are.
         */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/api/v1/sessions/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download everything about a session as JSON lines
         * @description The session, its messages, runs, events, questions and tool executions, and the sessions of its child runs. Each line is { type, data }, with data in the form of the route for one such thing. The audit log records it.
         */
        get: operations["exportSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the messages, oldest first */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}/images/{imageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an image of a message */
        get: operations["getImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fork a session
         * @description Creates a session with the same history and plan; both continue independently. A run in progress is not copied.
         */
        post: operations["forkSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an agent */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models and their state */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tools
         * @description Built-in tools, methods of classes, and tools of MCP servers and manifests, also those that cannot run. Calls and errors are those of this gateway process since countedSince.
         */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/toolsets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the toolsets */
        get: operations["listToolsets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tools/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call one tool
         * @description Runs outside any run, in the same workspace and sandbox. A tool that fails is a result with status "error", not an HTTP error. With Prefer: respond-async the call goes on in the background, and its execution has the answer later.
         */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the log of tool calls, newest first */
        get: operations["listToolExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-executions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one tool call
         * @description For a call that was made with Prefer: respond-async, answer has the whole result once the call has ended.
         */
        get: operations["getToolExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tool-executions/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a change of a file
         * @description Restores the bytes from before a call whose details say undoable, also of a file that it deleted; a file that the call made is removed. 409 undo_conflict when the change was undone already or the file was changed since.
         */
        post: operations["undoToolExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a directory of the workspace
         * @description In name order. What the gateway keeps in `.neta` is left out.
         */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description The path may contain slashes. One range is answered with 206. When the file does not exist and exactly one file has a name that looks the same, that one is sent; Content-Location names it. Files that usually hold keys are refused.
         */
        get: operations["downloadFile"];
        /**
         * Store a file, or replace it
         * @description The body is the content, of any type, at most 25 MiB. Missing directories are created. The file appears whole or not at all.
         */
        put: operations["uploadFile"];
        post?: never;
        /**
         * Delete a file
         * @description Directories are refused. `GET /tool-executions?tool=file_delete` lists deletions, with the id that undoes each.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of all tenants */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key
         * @description The answer shows the secret once. The key has no more scopes than the caller. The first key of all locks the gateway: from then on every caller needs one.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Its sockets, event streams and logins end at once; on other gateways over the same store within two seconds. A key of NETA_API_KEYS is removed there.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an API key for a cookie
         * @description For pages of the gateway: a page of another origin is refused. The cookie is HttpOnly and SameSite=Strict, and lives for 12 hours.
         */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the login
         * @description Ends the login of the cookie, or with everywhere all logins with its key; their sockets and event streams end at once.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read who the caller is */
        get: operations["getCaller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the state of the gateway with its reasons and figures */
        get: operations["getOpsOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List live runs, then ended ones
         * @description Holds no texts. A page may be shorter than the limit and still have a cursor, when few runs pass the filter.
         */
        get: operations["listOpsRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run with its waterfall, its tools and its prompt
         * @description Texts of people and models are in the events of the run, which need the scope chat.
         */
        get: operations["getOpsRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/runs/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a run with its events as JSON
         * @description Without the scope chat, texts are replaced by their lengths.
         */
        get: operations["exportOpsRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List questions and approvals that wait for people */
        get: operations["getOpsPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the calls, errors and durations of tools */
        get: operations["getOpsTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the calls, errors and costs of models */
        get: operations["getOpsModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read limits with what is used, and the last refusals */
        get: operations["getOpsLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the connected sockets */
        get: operations["getOpsConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read settings with their source, and the state of files; secrets are masked */
        get: operations["getOpsConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the gateway and what it depends on
         * @description For admins and keys of the tenant default, because it tells about all tenants.
         */
        get: operations["runOpsDoctor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the hash chain of the audit log
         * @description Reads the whole log of all tenants in slices. For admins and keys of the tenant default.
         */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a view as an event stream
         * @description Sends the JSON of the view at once, and again after each change, at most every 2 seconds. Each event has the name of the view.
         */
        get: operations["watchOpsView"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/runs/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel the live runs that pass a filter
         * @description At most 200 at once. Answers with their ids and does not wait for their ends.
         */
        post: operations["cancelOpsRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run of others
         * @description Answers when the run has ended, with its final status.
         */
        post: operations["cancelOpsRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a tool on or off
         * @description For all tenants with a key that has admin, else for your own. New turns do not get a tool that is off, and a call of it is refused with the reason.
         */
        post: operations["switchTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/accepting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause or accept new runs
         * @description For all tenants, or for the one in tenant, with a key that has admin, else for your own. A pause of all tenants and one of a single tenant are two: lift each. Runs in progress and in the queue go on; jobs wait. Other gateways on the same store follow within 2 seconds.
         */
        post: operations["setAccepting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions with their size and their last run
         * @description Most recently changed first. q searches the titles and messages of one tenant, yours unless tenant names another: first titles that hold every word, then messages, the best match first. A page may be shorter than the limit and still have a cursor. Titles and texts need the scope chat as well.
         */
        get: operations["listOpsSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/sessions/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a session as JSON lines, for a privacy request
         * @description Needs the scope chat as well. The audit log of the tenant records it with your key.
         */
        get: operations["exportOpsSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a session with all that belongs to it, for a privacy request
         * @description Its runs are cancelled first. The audit log of the tenant records it with your key.
         */
        delete: operations["deleteOpsSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/people/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a question or an approval of any tenant that you see
         * @description A question needs the scope chat as well, an approval chat or approve.
         */
        get: operations["getOpsQuestion"];
        put?: never;
        /**
         * Answer a question or decide an approval on behalf
         * @description answer for a question, which needs the scope chat as well; decision for an approval, which needs approve. The audit log of the tenant records it with your key.
         */
        post: operations["answerOpsQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the last lines of the log of this process
         * @description From memory, without secrets; lines up to NETA_LOG_LEVEL. Accept: application/x-ndjson downloads them. Needs the scope admin as well.
         */
        get: operations["listOpsLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/logs/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the log of this process as an event stream
         * @description Each new line is an event `log`. A reader that is too slow misses lines, which shows in their numbers. Needs the scope admin as well.
         */
        get: operations["watchOpsLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/config/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file of the configuration with its JSON schema
         * @description agents/<name>.yaml, approvals.yaml, limits.yaml and models.yaml. Needs the scope admin as well.
         */
        get: operations["getOpsConfigFile"];
        /**
         * Replace a file of the configuration
         * @description The text passes the checks of the start before it is written, and counts within a second. 409 when the file is not the one of baseHash. Needs the scope admin as well.
         */
        put: operations["putOpsConfigFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/limits/raise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to a limit of the day, for today alone
         * @description Other gateways on the same store follow within 2 seconds. Needs the scope admin as well.
         */
        post: operations["raiseOpsLimit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ops/connections/{id}/disconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a connection of this gateway
         * @description Its client may connect again: revoke the key to keep it out. Runs go on.
         */
        post: operations["disconnectOpsConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read runs, tokens and cost by day, model, agent, key or tool
         * @description Of the tenant; with the scope admin of all tenants. A run counts on the UTC day of its end, and its child runs count on their own. Accept: text/csv answers CSV. Direct tool calls are not part of it.
         */
        get: operations["readUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what, newest first
         * @description The rows of the tenant; with the scope admin those of all tenants. Accept: text/csv answers the page as CSV. Each row has the hash of the row before it.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download all data of your tenant as JSON lines
         * @description Every session as in the export of a session, then tool calls without a session, memories, jobs and webhooks. Files are in the workspace. The audit log records it.
         */
        get: operations["exportData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process lives */
        get: operations["checkAlive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that runs are accepted
         * @description 503 while the gateway stops or its store cannot be written.
         */
        get: operations["checkReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read version, model and sandbox of this gateway */
        get: operations["getInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this document */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open the list of errors, to which the type of an error links */
        get: operations["openErrorsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open the page that shows this document */
        get: operations["openDocsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agui/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an agent for an AG-UI client
         * @description Takes RunAgentInput of AG-UI 1.0 and answers its events as server-sent events, one JSON object in each data line. The thread is a session: an unknown threadId makes one. Calls of the functions in tools come back to the client. The run is cancelled 2 s after its client leaves.
         */
        post: operations["runAguiAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the MCP servers
         * @description A server that `config/mcp.yaml` describes wrongly is a row with `enabled: false` and its problems.
         */
        get: operations["listMcpServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/mcp-servers/{name}/reconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect an MCP server anew
         * @description Reads the file again, ends the connection and connects. Answers when that has succeeded or failed: see `state`.
         */
        post: operations["reconnectMcpServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the stream of an MCP session
         * @description Messages of the gateway that belong to no request. With Last-Event-ID the stream that broke goes on after that event.
         */
        get: operations["openMcpStream"];
        put?: never;
        /**
         * Send a message of an MCP client
         * @description A JSON-RPC message. `initialize` opens a session; its id is in the header Mcp-Session-Id of the answer and of every later request. Requests are answered with server-sent events, other messages with 202.
         */
        post: operations["sendMcpMessage"];
        /**
         * End an MCP session
         * @description The runs of its calls in progress are cancelled.
         */
        delete: operations["endMcpSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a chat completion
         * @description An agent answers as a model does. Its own tools run inside; calls of the functions in tools come back to the caller. The run is cancelled 2 s after its caller leaves. Errors have the shape of OpenAI.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a response
         * @description In the shapes of OpenAI's Responses API; the model is an agent. Fields that the gateway does not know are ignored. Unless background is true, the response is cancelled 2 s after its caller left.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a response, or resume its stream */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a response
         * @description A response in progress is cancelled first. Its texts go with the last response of its conversation.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a response
         * @description Answers when it has ended, with its final status.
         */
        post: operations["cancelResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/responses/{id}/input_items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the input items of a response
         * @description Those that its own request brought.
         */
        get: operations["listInputItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the agents as models */
        get: operations["listOpenAiModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an agent as a model */
        get: operations["getOpenAiModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or search memories, most recently changed first */
        get: operations["listMemories"];
        put?: never;
        /**
         * Save a memory
         * @description The same words again update the memory that has them. When a memory says nearly the same, nothing is stored and that memory is the answer, unless `force` is set. Keys and passwords are refused.
         */
        post: operations["saveMemory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download all memories as JSON lines */
        get: operations["exportMemories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/memories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a memory */
        get: operations["getMemory"];
        put?: never;
        post?: never;
        /**
         * Delete a memory
         * @description It also leaves the prompts of all sessions, from their next turn on.
         */
        delete: operations["deleteMemory"];
        options?: never;
        head?: never;
        /**
         * Correct a memory
         * @description Fields that are left out stay as they are. Sessions that have the memory in their prompt read the new text from their next turn on.
         */
        patch: operations["updateMemory"];
        trace?: never;
    };
    "/api/v1/skills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the skills
         * @description A skill with mistakes is a row with `enabled: false` and its problems.
         */
        get: operations["listSkills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/skills/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a skill */
        get: operations["getSkill"];
        /**
         * Create a skill or replace its SKILL.md
         * @description The name in the front matter must be the name in the path. A skill of the operator is read-only.
         */
        put: operations["putSkill"];
        post?: never;
        /** Delete a skill with all its files */
        delete: operations["deleteSkill"];
        options?: never;
        head?: never;
        /**
         * Turn a skill on or off
         * @description Works for skills of the operator too; it changes no file of theirs.
         */
        patch: operations["switchSkill"];
        trace?: never;
    };
    "/api/v1/skills/{name}/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one file of a skill
         * @description Text is sent as `text/plain`, anything else as a download. The path may contain slashes.
         */
        get: operations["getSkillFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the jobs, oldest first */
        get: operations["listJobs"];
        put?: never;
        /**
         * Create a job
         * @description At most 50 jobs. Nobody can be asked in its runs: a question becomes the answer of the run, and a tool call that needs approval is refused unless a rule allows it.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a job */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Delete a job
         * @description Its sessions stay, and a run in progress goes on.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a job
         * @description Fields that are left out stay as they are; a schedule is replaced as a whole. A new schedule enables a job whose `at` has passed, unless `enabled` is false.
         */
        patch: operations["updateJob"];
        trace?: never;
    };
    "/api/v1/jobs/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a job now
         * @description Also while the job is paused. The schedule stays as it is, and a failure does not count towards a pause.
         */
        post: operations["runJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the runs of a job, newest first */
        get: operations["listJobRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks, oldest first */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Deliveries are signed as Standard Webhooks 1.0 says. A failed one is tried again for about three days; 410 disables the webhook. At most 50.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a webhook and its deliveries */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description Kept for 30 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries/{deliveryId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description With the same id and body. One that is pending stays so.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search in messages, best match first
         * @description Searches what people and agents wrote, in every session; tool results are not searched. Finds messages with all words or, when there is none, with some of them. Of a very common word the newest 3,000 messages are ranked first.
         */
        get: operations["searchMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the metrics of this gateway for Prometheus
         * @description Takes the token of NETA_METRICS_TOKEN too. The numbers cover all tenants, so a key of another tenant than `default` needs the scope admin as well.
         */
        get: operations["readMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /**
             * Format: uri
             * @description page that describes the code (RFC 9457)
             */
            type?: string;
            /** @description what the code means */
            title?: string;
            /** @description HTTP status */
            status?: number;
            /** @description the message, as application/problem+json has it */
            detail?: string;
            error: {
                code: "invalid_request" | "unauthenticated" | "forbidden" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "session_busy" | "clarification_closed" | "undo_conflict" | "config_changed" | "run_cancelled" | "idempotency_mismatch" | "events_expired" | "precondition_failed" | "too_large" | "unsupported_media_type" | "range_not_satisfiable" | "rate_limited" | "quota_exceeded" | "internal" | "draining" | "not_accepting" | "store_unavailable" | "model_unreachable" | "model_timeout" | "model_overloaded" | "model_refused" | "model_bad_response" | "model_too_large" | "interrupted" | "tool_timeout" | "run_timeout";
                /** @description for people; its words may change */
                message: string;
                /** @description family of the code */
                type: string;
                /** @description JSON pointer of the field that is wrong */
                param?: string;
                /** @description whether the same request may succeed later */
                retryable: boolean;
                /** @description milliseconds */
                retryAfterMs?: number;
                /** @description the same as the header x-request-id */
                requestId: string;
                details?: {
                    [key: string]: unknown;
                };
            };
        };
        RunAccepted: {
            runId: string;
            sessionId: string;
            /** @description the last four are final */
            status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
        };
        SteerAccepted: {
            runId: string;
            sessionId: string;
        };
        ToolCallStopped: {
            runId: string;
            toolCallId: string;
            /** @description the last four are final */
            status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
        };
        RunResult: {
            runId: string;
            sessionId: string;
            /** @description the run that delegated this one */
            parentRunId?: string;
            /** @description the last four are final */
            status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
            /** @description why the run is incomplete */
            reason?: "max_iterations" | "output_limit" | "content_filter" | "budget" | "timeout" | "model_cut";
            /** @description the answer */
            text: string;
            /** @description the question that the run ended with; the next message answers it */
            clarification?: {
                requestId: string;
                question: string;
                choices?: string[];
                expiresAt: string;
            };
            /** @description the question to its master with which a child run ended */
            escalation?: {
                question: string;
                choices?: string[];
            };
            /** @description the newest 1,000, at most 4 MiB; the log of tool executions has all */
            toolCalls: {
                toolCallId: string;
                name: string;
                args: unknown;
                ok: boolean;
                result: string;
                durationMs: number;
                /** @description the result comes from the cache */
                cached?: boolean;
                /** @description this session, or this response of the model, has made the same call before */
                duplicate?: boolean;
            }[];
            /** @description tokens */
            usage: {
                inputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cachedTokens?: number;
                /** @description USD; absent when the price of a model is unknown */
                costUsd?: number;
            };
            /** @description why the run failed, or that it reached its time limit */
            error?: {
                code: string;
                message: string;
                retryable: boolean;
            };
            /** @description calls of the tools that the caller brought; the caller runs them */
            callerCalls?: {
                toolCallId: string;
                name: string;
                arguments: string;
            }[];
        };
        RunPreview: {
            agent: string;
            model: string;
            /** @description in the order in which the model gets them */
            tools: {
                name: string;
                /** @description always: every agent has it; toolset: the profile names it; skill_hint: a skill that the session has read asks for it; relevance: it fits the message, or all tools fit the budget */
                why: "always" | "toolset" | "skill_hint" | "relevance";
                /** @description from 0 to 1, the best fit */
                score?: number;
            }[];
            /** @description of the model, the profile, the session and the request, merged */
            parameters?: {
                [key: string]: unknown;
            };
            /** @description how tools were ranked for the message; words_and_meaning: with vectors of the embedding model; absent when all tools fit */
            ranking?: "words" | "words_and_meaning";
            /** @description tools that the agent may have and that do not go to the model */
            leftOut: string[];
            prompt: string;
            /** @description prompt, tools and messages */
            estimatedTokens: number;
        };
        Run: {
            runId: string;
            sessionId: string;
            /** @description the run that delegated this one */
            parentRunId?: string;
            /** @description the last four are final */
            status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
            /** @description why the run is incomplete */
            reason?: "max_iterations" | "output_limit" | "content_filter" | "budget" | "timeout" | "model_cut";
            /** @description the answer */
            text: string;
            /** @description the question that the run ended with; the next message answers it */
            clarification?: {
                requestId: string;
                question: string;
                choices?: string[];
                expiresAt: string;
            };
            /** @description the question to its master with which a child run ended */
            escalation?: {
                question: string;
                choices?: string[];
            };
            /** @description tokens */
            usage: {
                inputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cachedTokens?: number;
                /** @description USD; absent when the price of a model is unknown */
                costUsd?: number;
            };
            /** @description why the run failed, or that it reached its time limit */
            error?: {
                code: string;
                message: string;
                retryable: boolean;
            };
            /** @description calls of the tools that the caller brought; the caller runs them */
            callerCalls?: {
                toolCallId: string;
                name: string;
                arguments: string;
            }[];
            door: "socketio" | "rest" | "openai" | "responses" | "agui" | "mcp" | "job" | "child";
            /** @description the API key that the run counts for; local without keys */
            keyName?: string;
            agent: string;
            locale: "en" | "zh-CN";
            input: string;
            /** @description the images of the message */
            images?: {
                id: string;
                mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                /** @description size of the image */
                bytes: number;
            }[];
            /** @description the model that its request or its session chose */
            model?: string;
            parameters?: {
                [key: string]: unknown;
            };
            metadata?: {
                [key: string]: unknown;
            };
            /** @description the session of the run that delegated this one */
            parentSessionId?: string;
            /** @description highest seq that is stored */
            lastSeq: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            endedAt?: string;
        };
        RunWithResult: {
            runId: string;
            sessionId: string;
            /** @description the run that delegated this one */
            parentRunId?: string;
            /** @description the last four are final */
            status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
            /** @description why the run is incomplete */
            reason?: "max_iterations" | "output_limit" | "content_filter" | "budget" | "timeout" | "model_cut";
            /** @description the answer */
            text: string;
            /** @description the question that the run ended with; the next message answers it */
            clarification?: {
                requestId: string;
                question: string;
                choices?: string[];
                expiresAt: string;
            };
            /** @description the question to its master with which a child run ended */
            escalation?: {
                question: string;
                choices?: string[];
            };
            /** @description tokens */
            usage: {
                inputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cachedTokens?: number;
                /** @description USD; absent when the price of a model is unknown */
                costUsd?: number;
            };
            /** @description why the run failed, or that it reached its time limit */
            error?: {
                code: string;
                message: string;
                retryable: boolean;
            };
            /** @description calls of the tools that the caller brought; the caller runs them */
            callerCalls?: {
                toolCallId: string;
                name: string;
                arguments: string;
            }[];
            door: "socketio" | "rest" | "openai" | "responses" | "agui" | "mcp" | "job" | "child";
            /** @description the API key that the run counts for; local without keys */
            keyName?: string;
            agent: string;
            locale: "en" | "zh-CN";
            input: string;
            /** @description the images of the message */
            images?: {
                id: string;
                mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                /** @description size of the image */
                bytes: number;
            }[];
            /** @description the model that its request or its session chose */
            model?: string;
            parameters?: {
                [key: string]: unknown;
            };
            metadata?: {
                [key: string]: unknown;
            };
            /** @description the session of the run that delegated this one */
            parentSessionId?: string;
            /** @description highest seq that is stored */
            lastSeq: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            endedAt?: string;
            /** @description the newest 1,000, at most 4 MiB; the log of tool executions has all */
            toolCalls: {
                toolCallId: string;
                name: string;
                args: unknown;
                ok: boolean;
                result: string;
                durationMs: number;
                /** @description the result comes from the cache */
                cached?: boolean;
                /** @description this session, or this response of the model, has made the same call before */
                duplicate?: boolean;
            }[];
        };
        /** @description more types may come; ignore the ones that you do not know */
        RunEvent: components["schemas"]["RunStartEvent"] | components["schemas"]["TextDeltaEvent"] | components["schemas"]["ReasoningDeltaEvent"] | components["schemas"]["MessageEndEvent"] | components["schemas"]["ToolCallStartEvent"] | components["schemas"]["ToolCallDeltaEvent"] | components["schemas"]["ToolCallEndEvent"] | components["schemas"]["DelegateStartEvent"] | components["schemas"]["DelegateEndEvent"] | components["schemas"]["TodoUpdateEvent"] | components["schemas"]["ClarifyRequestEvent"] | components["schemas"]["ClarifyEndEvent"] | components["schemas"]["ApprovalRequestEvent"] | components["schemas"]["ApprovalEndEvent"] | components["schemas"]["ModelFallbackEvent"] | components["schemas"]["UsageEvent"] | components["schemas"]["ContextCompactedEvent"] | components["schemas"]["RunEndEvent"];
        Question: {
            requestId: string;
            sessionId: string;
            runId: string;
            /** @description present when a child run asks: the session whose chat shows it too */
            parentSessionId?: string;
            question: string;
            choices?: string[];
            status: "pending" | "answered" | "expired" | "cancelled";
            answer?: string;
            /** @description name of the API key with which a person answered; absent without keys */
            decidedBy?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Answered: {
            requestId: string;
            /** @constant */
            status: "answered";
            /** @description the run that the answer started, when the question had ended its own run */
            runId?: string;
            sessionId?: string;
        };
        Approval: {
            requestId: string;
            toolCallId: string;
            tool: string;
            label: string;
            /** @description exactly the arguments that would run, not truncated */
            args: unknown;
            /** @description why the call needs approval */
            reason: string;
            /** @description what allow_session covers: the same call again, everything that the same rule asks about for this tool, or nothing more than allow_once */
            sessionScope: "exact" | "rule" | "none";
            /** @description present when the call could send outside what these calls read */
            taint?: {
                toolCallId: string;
                tool: string;
                /** @description private: it read content of the workspace, or it is a memory; untrusted: it read text that any outsider may have written */
                kind: "private" | "untrusted";
                /** @description what it read: a path, an address, a command or a memory; may be truncated */
                source: string;
            }[];
            /** Format: date-time */
            expiresAt: string;
            /** @description present in the log of the parent run: the child run that asks */
            childRunId?: string;
            childSessionId?: string;
            sessionId: string;
            runId: string;
            /** @description present when a child run asks: the session whose chat shows it too */
            parentSessionId?: string;
            status: "pending" | "answered" | "expired" | "cancelled";
            /** @description the decision */
            answer?: {
                /** @description allow_once: this call; allow_session: the calls that sessionScope names; deny: the call does not run */
                decision: "allow_once" | "allow_session" | "deny";
                /** @description with deny: the model reads it */
                reason?: string;
                /** @description with allow_once: the arguments to run instead of the requested ones */
                args?: {
                    [key: string]: unknown;
                };
            };
            /** @description name of the API key with which a person answered; absent without keys */
            decidedBy?: string;
            /** Format: date-time */
            createdAt: string;
        };
        Decided: {
            requestId: string;
            /** @constant */
            status: "answered";
            decision: "allow_once" | "allow_session" | "deny";
        };
        Session: {
            id: string;
            /** @description empty until the first message */
            title: string;
            agent: string;
            locale: "en" | "zh-CN";
            thinkingLevel: "off" | "minimal" | "low" | "medium" | "high";
            /** @description the chosen model; absent: that of the agent */
            model?: string;
            parameters?: {
                [key: string]: unknown;
            };
            metadata?: {
                [key: string]: unknown;
            };
            /** @description present in the session of a child run */
            parentSessionId?: string;
            /** @description the run that delegated */
            parentRunId?: string;
            /** @description present when a job or a request of an OpenAI client made the session */
            origin?: {
                jobId?: string;
                /** @constant */
                door?: "openai";
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Message: {
            id: string;
            runId: string;
            role: "user" | "assistant" | "tool";
            content: string;
            /** @description GET /sessions/{id}/images/{imageId} gives the bytes */
            images?: {
                id: string;
                mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                /** @description size of the image */
                bytes: number;
            }[];
            /** @description the call that a tool result belongs to */
            toolCallId?: string;
            toolCalls?: {
                toolCallId: string;
                name: string;
                /** @description JSON text as the model wrote it */
                arguments: string;
            }[];
            /** Format: date-time */
            createdAt: string;
        };
        Agent: {
            /** @description the value of `agent` in a run request */
            name: string;
            label: string;
            description: string;
            model: string;
            /** @description names of the tools that its runs have */
            tools: string[];
            /** @description names of the agents that it can delegate to */
            members: string[];
        };
        Model: {
            /** @description the value of `model` in a request */
            id: string;
            label?: string;
            provider: string;
            /** @description the name that the model server knows */
            model: string;
            /** @description true: the model of agents that name none */
            default: boolean;
            /**
             * @description present for the script that answers when no model is configured
             * @constant
             */
            demo?: true;
            /** @description tokens, with the answer */
            contextWindow: number;
            /** @description true: it can see images that a message carries */
            images: boolean;
            /** @description thinking levels that differ for this model; empty: it has none */
            reasoningLevels: ("minimal" | "low" | "medium" | "high")[];
            /** @description USD for a million tokens; absent: unknown */
            price?: {
                /** @description input tokens */
                input: number;
                /** @description output tokens */
                output: number;
                /** @description input tokens that the server had cached */
                cachedInput?: number;
            };
            /** @description cooling: it failed, and other models stand in for it until retryAt; failing: its last call or check failed */
            state: "ok" | "cooling" | "failing";
            /** @description why it is not ok */
            reason?: string;
            /** Format: date-time */
            retryAt?: string;
        };
        Undone: {
            /** @constant */
            undone: true;
            /** @description relative to the workspace */
            path: string;
        };
        Tool: {
            name: string;
            toolset: string;
            /** @description mcp: a tool of an MCP server; manifest: described by a YAML file; code: a method of a class */
            origin: "builtin" | "code" | "mcp" | "manifest";
            label: string;
            description: string;
            effect: "read" | "idempotent" | "write" | "external";
            /** @description JSON Schema */
            parameters: {
                [key: string]: unknown;
            };
            /** @description as in the Model Context Protocol; they follow from the effect */
            annotations?: {
                readOnlyHint: boolean;
                destructiveHint: boolean;
                idempotentHint: boolean;
                openWorldHint: boolean;
            };
            /**
             * @description every run of the agents that may have it is offered it
             * @constant
             */
            always?: true;
            /** @description whether this gateway can run it */
            enabled: boolean;
            /** @description why it cannot */
            reason?: string;
            /** @description errors in its definition */
            problems?: string[];
            /** @description models that are not offered the tool, because their server refuses it */
            asideFor?: {
                model: string;
                reason: string;
            }[];
            /** @description what the manifest of the tool says; only with the origin manifest */
            manifest?: {
                version: string;
                author?: string;
                type: "sync" | "async" | "service";
                runtime: "python" | "javascript" | "native";
                /** @description whether its process may use the network */
                network: boolean;
                tags: string[];
                dependencies: string[];
            };
            /** @description calls in runs and direct ones */
            calls: number;
            /** @description calls that failed, were refused or were cancelled */
            errors: number;
            /**
             * Format: date-time
             * @description the start of this gateway process
             */
            countedSince: string;
        };
        Toolset: {
            /** @description an MCP server may have the name of a built-in toolset */
            name: string;
            /** @description mcp: a tool of an MCP server; manifest: described by a YAML file; code: a method of a class */
            origin: "builtin" | "code" | "mcp" | "manifest";
            tools: string[];
            default: boolean;
            /** @description whether this gateway can run it */
            enabled: boolean;
        };
        ToolCallResult: {
            status: "success" | "error";
            /** @description content is the text for a model; the other fields are the same as data and depend on the tool. A command of a manifest: the result of its program, of any type. null after an error */
            result: unknown;
            error: string | null;
            /**
             * @description tells programs which error it was
             * @constant
             */
            errorCode?: "tool_timeout";
            message: string;
            /** @description a binary result */
            base64?: string;
            /** @description milliseconds */
            durationMs: number;
            /** Format: date-time */
            timestamp: string;
        };
        ToolExecution: {
            id: string;
            sessionId?: string;
            runId?: string;
            toolCallId?: string;
            /** @description a tool; with command, a manifest */
            tool: string;
            /** @description the command of the manifest */
            command?: string;
            /** @description for whom the call was made, as its caller stated */
            user?: string;
            /** @description agent of the run, or as the caller stated */
            agent?: string;
            /** @description JSON text, clipped */
            args: string;
            status: "running" | "success" | "error" | "cancelled" | "unknown";
            /** @description clipped */
            result?: string;
            /** @description clipped */
            error?: string;
            /** @description milliseconds */
            durationMs?: number;
            cached?: boolean;
            duplicate?: boolean;
            details?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt?: string;
        };
        ToolExecutionDetail: {
            id: string;
            sessionId?: string;
            runId?: string;
            toolCallId?: string;
            /** @description a tool; with command, a manifest */
            tool: string;
            /** @description the command of the manifest */
            command?: string;
            /** @description for whom the call was made, as its caller stated */
            user?: string;
            /** @description agent of the run, or as the caller stated */
            agent?: string;
            /** @description JSON text, clipped */
            args: string;
            status: "running" | "success" | "error" | "cancelled" | "unknown";
            /** @description clipped */
            result?: string;
            /** @description clipped */
            error?: string;
            /** @description milliseconds */
            durationMs?: number;
            cached?: boolean;
            duplicate?: boolean;
            details?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt?: string;
            answer?: {
                status: "success" | "error";
                /** @description content is the text for a model; the other fields are the same as data and depend on the tool. A command of a manifest: the result of its program, of any type. null after an error */
                result: unknown;
                error: string | null;
                /**
                 * @description tells programs which error it was
                 * @constant
                 */
                errorCode?: "tool_timeout";
                message: string;
                /** @description a binary result */
                base64?: string;
                /** @description milliseconds */
                durationMs: number;
                /** Format: date-time */
                timestamp: string;
            };
        };
        McpServer: {
            /** @description as in config/mcp.yaml; the toolset of its tools */
            name: string;
            /** @description sse: the older HTTP transport */
            transport: "stdio" | "http" | "sse";
            /** @description failed: not connected now, or described wrongly in the file */
            state: "connected" | "connecting" | "failed" | "disabled";
            /** @description names of its tools that can be called, as in the catalog */
            tools: string[];
            /** @description why it is not connected */
            error?: string;
            /** @description false: the file turns it off or describes it wrongly */
            enabled: boolean;
            /** @description what an operator should mend */
            problems: string[];
            /** @description what the server calls itself */
            server?: {
                name: string;
                version: string;
            };
            /** @description milliseconds until it is connected again */
            nextTryMs?: number;
        };
        AuditRow: {
            id: string;
            tenant: string;
            /** Format: date-time */
            at: string;
            /** @description the name of an API key, local without keys; agent:<name> or job:<id>, which act for details.key; gateway:<part>; address:<ip> for a wrong key */
            actor: string;
            /** @description the thing and the verb, such as key.create */
            action: string;
            /** @description the action in words */
            actionText?: string;
            /** @description the action in Chinese */
            actionTextZh?: string;
            /** @description id or name of the thing */
            target: string;
            details: {
                [key: string]: unknown;
            };
            /** @description hash of the row before, of whichever tenant; 64 zeros for the first */
            prevHash: string;
            /** @description SHA-256 of the JSON text [prevHash, id, tenant, at, actor, action, target, details] */
            hash: string;
        };
        Usage: {
            from: string;
            to: string;
            by: "day" | "model" | "agent" | "key" | "tool";
            data: {
                /** @description the day, model, agent, key or tool; empty for runs that called no model */
                key: string;
                /** @description for by=key */
                tenant?: string;
                /** @description ended runs, failed and cancelled ones too; a run with several models counts for the first */
                runs: number;
                /** @description for by=tool: calls in these runs */
                calls?: number;
                /** @description of all model calls, those of summaries too */
                inputTokens: number;
                /** @description part of the input */
                cachedTokens: number;
                /** @description of all model calls */
                outputTokens: number;
                /** @description part of the output */
                reasoningTokens: number;
                /** @description when the price of every call is known */
                costUsd?: number;
                /**
                 * @description instead of costUsd: the price of a call is unknown
                 * @constant
                 */
                unpriced?: true;
                /** @description runs with such calls */
                unpricedRuns?: number;
                /** @description the cost of the other calls */
                knownCostUsd?: number;
                /** @description from the start to the end of the runs; for by=tool the time in the tool */
                durationMs: number;
            }[];
            nextCursor?: string;
            hasMore: boolean;
        };
        ExportedItem: {
            type: "session" | "message" | "plan" | "summary" | "run" | "event" | "question" | "tool_execution" | "memory" | "job" | "webhook";
            data: {
                [key: string]: unknown;
            };
        };
        File: {
            name: string;
            /** @description relative to the workspace */
            path: string;
            /** @description bytes; 0 for a directory */
            size: number;
            /** @description a symlink is listed as itself */
            type: "file" | "directory" | "symlink" | "other";
            /** Format: date-time */
            modifiedAt: string;
        };
        StoredFile: {
            name: string;
            /** @description relative to the workspace */
            path: string;
            /** @description bytes; 0 for a directory */
            size: number;
            /** @description a symlink is listed as itself */
            type: "file" | "directory" | "symlink" | "other";
            /** Format: date-time */
            modifiedAt: string;
            /** @description the tool execution of this change: POST /tool-executions/{id}/undo takes it back */
            executionId: string;
        };
        Info: {
            name: string;
            version: string;
            locale: "en" | "zh-CN";
            model: {
                provider: string;
                model: string;
                /** @description true: a script, no AI */
                demo: boolean;
            };
            /** @description how commands are kept apart from the machine */
            isolation: "bubblewrap" | "namespaces" | "process_group";
            sandbox: {
                /** @description the sandbox that commands run in */
                kind: "bubblewrap" | "namespaces" | "none";
                /** @description whether commands reach the network */
                network: boolean;
            };
            /** @description limits of every command of the agent */
            commandLimits: {
                processes: number;
                memoryBytes: number;
                cpuSeconds: number;
                fileBytes: number;
                outputBytes: number;
                timeMs: number;
                /** @description false: this system cannot count the processes and memory of a whole command */
                watched: boolean;
            };
        };
        ApiKey: {
            id: string;
            name: string;
            tenant: string;
            /** @description what the key may do */
            scopes: ("chat" | "tools" | "approve" | "ops:read" | "ops:write" | "admin")[];
            /** @description settings: from NETA_API_KEYS, which alone can revoke it */
            source: "settings" | "stored";
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            /** Format: date-time */
            lastUsedAt?: string;
        };
        MadeApiKey: {
            id: string;
            name: string;
            tenant: string;
            /** @description what the key may do */
            scopes: ("chat" | "tools" | "approve" | "ops:read" | "ops:write" | "admin")[];
            /** @description settings: from NETA_API_KEYS, which alone can revoke it */
            source: "settings" | "stored";
            /** Format: date-time */
            createdAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            /** Format: date-time */
            lastUsedAt?: string;
            /** @description shown this once; absent in a replay */
            secret?: string;
        };
        Me: {
            /** @description local without a key */
            keyName: string;
            tenant: string;
            /** @description what the key may do */
            scopes: ("chat" | "tools" | "approve" | "ops:read" | "ops:write" | "admin")[];
            /** @description whether callers need a key */
            loginRequired: boolean;
            /** Format: date-time */
            expiresAt?: string;
        };
        Alive: {
            /** @constant */
            status: "ok";
        };
        Ready: {
            /** @constant */
            status: "ready";
            /** @constant */
            store: "ok";
            model: {
                provider: string;
                model: string;
                /** @description true: a script, no AI */
                demo: boolean;
            };
            /** @description how commands are kept apart from the machine */
            isolation: "bubblewrap" | "namespaces" | "process_group";
            sandbox: {
                /** @description the sandbox that commands run in */
                kind: "bubblewrap" | "namespaces" | "none";
                /** @description whether commands reach the network */
                network: boolean;
            };
            eventLoop: {
                delayP99Ms: number;
                delayMaxMs: number;
                busyMaxMs: number;
            };
            /** @description limits of every command of the agent */
            commandLimits: {
                processes: number;
                memoryBytes: number;
                cpuSeconds: number;
                fileBytes: number;
                outputBytes: number;
                timeMs: number;
                /** @description false: this system cannot count the processes and memory of a whole command */
                watched: boolean;
            };
            /** @description mistakes in the files of the operator that do not stop the gateway, each with its file */
            warnings: string[];
        };
        OpsOverview: {
            /** Format: date-time */
            at: string;
            state: "healthy" | "degraded" | "broken";
            /** @description the worst first */
            reasons: {
                code: string;
                level: "degraded" | "broken";
                message: string;
                messageZh: string;
                /** @description the view that shows more */
                view?: string;
            }[];
            accepting: {
                accepting: boolean;
                /** @description whose runs are paused: those of the tenant, or all */
                scope?: "tenant" | "gateway";
                reason?: string;
                changedBy?: string;
                /** Format: date-time */
                changedAt?: string;
                /** @description pauses of single tenants, for those who see all tenants */
                tenants?: {
                    tenantId: string;
                    reason?: string;
                    changedBy: string;
                    /** Format: date-time */
                    changedAt: string;
                }[];
            };
            live: {
                running: number;
                waiting: number;
                queued: number;
                stuck: number;
            };
            /** @description of the last minutes; absent without runs */
            traffic: {
                windowMinutes: number;
                runsPerMinute: number;
                successShare?: number;
                runP95Ms?: number;
                firstTokenP95Ms?: number;
            };
            /** @description the last 60 minutes since the start, oldest first */
            minutes: {
                /** Format: date-time */
                at: string;
                runs: number;
                failed: number;
                tokens: number;
                costUsd: number;
                runP95Ms: number | null;
                firstTokenP95Ms: number | null;
            }[];
            /** @description the day in UTC, with the budget of the tenant */
            today: {
                day: string;
                tokens: number;
                costUsd: number;
                unpricedRuns: number;
                tokensPerDay?: number;
                costPerDayUsd?: number;
            };
            people: {
                questions: number;
                approvals: number;
                /** Format: date-time */
                oldestAt?: string;
            };
            /** @description facts of the machine are for admins and keys of the tenant default */
            process: {
                connections: number;
                eventLoopP99Ms?: number;
                rssBytes?: number;
                heapUsedBytes?: number;
                diskFreeBytes?: number;
                diskTotalBytes?: number;
            };
            /** @description the gateways on this store */
            nodes: {
                id: string;
                /** @description the process that answers */
                isSelf: boolean;
                version: string;
                nodeVersion: string;
                /** Format: date-time */
                startedAt: string;
                /** Format: date-time */
                seenAt: string;
                runs: number;
                connections: number;
                rssBytes?: number;
                eventLoopP99Ms?: number;
            }[];
            warnings: string[];
            /** @description the warnings with their codes, in both languages */
            notices: {
                code: "file" | "model" | "price" | "mcp_server" | "mcp_tools" | "agent" | "skill" | "tool" | "other";
                message: string;
                messageZh: string;
                file?: string;
                /** @description JSON pointer */
                field?: string;
                line?: number;
            }[];
            /** @description the last acts of operators, from the audit log */
            changes: {
                /** Format: date-time */
                at: string;
                actor: string;
                action: string;
                actionText: string;
                actionTextZh: string;
                target: string;
            }[];
        };
        OpsAuditCheck: {
            ok: boolean;
            /** @description rows that were read */
            rows: number;
            /** @description hash of the newest row: note it elsewhere to notice a cut */
            head?: string;
            /** @description a row was changed, the row before is missing, or rows behind are missing */
            fault?: "changed" | "gap" | "cut";
            /** @description the first broken row */
            id?: string;
            /** Format: date-time */
            at?: string;
        };
        OpsLogs: {
            /** Format: date-time */
            at: string;
            /** @description the last 1,000 at most, oldest first */
            data: {
                /** @description grows by one with each line of this process */
                n: number;
                /** Format: date-time */
                time: string;
                level: "error" | "warn" | "info" | "debug";
                msg: string;
                runId?: string;
                sessionId?: string;
                requestId?: string;
                error?: string;
                text?: string;
            }[];
            nextCursor?: string;
            hasMore: boolean;
        };
        OpsConfigFile: {
            name: string;
            /** @description absent while the file does not exist */
            text?: string;
            /** @description SHA-256; send it back as baseHash */
            hash?: string;
            /** @description false: the directory is read-only */
            isWritable: boolean;
            /** @description JSON schema of the content */
            schema: {
                [key: string]: unknown;
            };
        };
        OpsConfigWritten: {
            name: string;
            hash: string;
        };
        OpsRaisedLimit: {
            max: number;
            /** @description all that was added for today */
            raised: number;
        };
        OpsDisconnected: {
            id: string;
            /** @constant */
            disconnected: true;
        };
        OpsSessions: {
            data: {
                sessionId: string;
                tenantId: string;
                title?: string;
                /** @description text around the best match of q */
                snippet?: string;
                agent: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                updatedAt: string;
                messages: number;
                /** @description bytes of the messages as stored */
                messageBytes: number;
                runs: number;
                events: number;
                /** @description the session holds more than was counted */
                isMore: boolean;
                lastRun?: {
                    runId: string;
                    status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                    door: string;
                    reason?: string;
                    /** @description a code of the error table */
                    errorCode?: string;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    endedAt?: string;
                };
            }[];
            nextCursor?: string;
            hasMore: boolean;
        };
        OpsQuestion: {
            tenantId: string;
            kind: "clarification" | "approval";
            question?: {
                requestId: string;
                sessionId: string;
                runId: string;
                /** @description present when a child run asks: the session whose chat shows it too */
                parentSessionId?: string;
                question: string;
                choices?: string[];
                status: "pending" | "answered" | "expired" | "cancelled";
                answer?: string;
                /** @description name of the API key with which a person answered; absent without keys */
                decidedBy?: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
            };
            approval?: {
                requestId: string;
                toolCallId: string;
                tool: string;
                label: string;
                /** @description exactly the arguments that would run, not truncated */
                args: unknown;
                /** @description why the call needs approval */
                reason: string;
                /** @description what allow_session covers: the same call again, everything that the same rule asks about for this tool, or nothing more than allow_once */
                sessionScope: "exact" | "rule" | "none";
                /** @description present when the call could send outside what these calls read */
                taint?: {
                    toolCallId: string;
                    tool: string;
                    /** @description private: it read content of the workspace, or it is a memory; untrusted: it read text that any outsider may have written */
                    kind: "private" | "untrusted";
                    /** @description what it read: a path, an address, a command or a memory; may be truncated */
                    source: string;
                }[];
                /** Format: date-time */
                expiresAt: string;
                /** @description present in the log of the parent run: the child run that asks */
                childRunId?: string;
                childSessionId?: string;
                sessionId: string;
                runId: string;
                /** @description present when a child run asks: the session whose chat shows it too */
                parentSessionId?: string;
                status: "pending" | "answered" | "expired" | "cancelled";
                /** @description the decision */
                answer?: {
                    /** @description allow_once: this call; allow_session: the calls that sessionScope names; deny: the call does not run */
                    decision: "allow_once" | "allow_session" | "deny";
                    /** @description with deny: the model reads it */
                    reason?: string;
                    /** @description with allow_once: the arguments to run instead of the requested ones */
                    args?: {
                        [key: string]: unknown;
                    };
                };
                /** @description name of the API key with which a person answered; absent without keys */
                decidedBy?: string;
                /** Format: date-time */
                createdAt: string;
            };
        };
        OpsAnswered: {
            requestId: string;
            /** @constant */
            status: "answered";
            /** @description the run that the answer started, when the question had ended its own run */
            runId?: string;
            sessionId?: string;
            decision?: "allow_once" | "allow_session" | "deny";
        };
        OpsRuns: {
            /** Format: date-time */
            at: string;
            /** @description runs that are not over; on the first page only */
            live: {
                runId: string;
                sessionId: string;
                tenantId: string;
                parentRunId?: string;
                status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                door: string;
                agent: string;
                keyName?: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                startedAt?: string;
                /** @description what it waits for or does */
                state: "queued" | "model" | "tool" | "human" | "child";
                step?: {
                    kind: "model" | "tool" | "human" | "child";
                    name?: string;
                    /** Format: date-time */
                    since: string;
                };
                /** @description the gateway process that executes it */
                node?: string;
                iterations: number;
                maxIterations: number;
                tokens: number;
                /** @description known cost so far */
                costUsd: number;
                /** Format: date-time */
                lastEventAt?: string;
                /** @description no event for 60 s, and it waits for no person */
                isStuck: boolean;
            }[];
            /** @description runs that have ended, newest first */
            data: {
                runId: string;
                sessionId: string;
                tenantId: string;
                parentRunId?: string;
                status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                door: string;
                agent: string;
                keyName?: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                startedAt?: string;
                reason?: string;
                errorCode?: string;
                model?: string;
                tokens: number;
                cachedTokens: number;
                /** @description USD; absent when a price is unknown */
                costUsd?: number;
                /** Format: date-time */
                endedAt?: string;
                durationMs?: number;
            }[];
            nextCursor?: string;
            hasMore: boolean;
        };
        OpsRunDetail: {
            run: {
                runId: string;
                sessionId: string;
                tenantId: string;
                parentRunId?: string;
                status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                door: string;
                agent: string;
                keyName?: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                startedAt?: string;
                reason?: string;
                error?: {
                    code: string;
                    message: string;
                    messageZh?: string;
                };
                locale: string;
                model?: string;
                node?: string;
                /** @description how often it changed its process, from 1 */
                epoch: number;
                recoveries: number;
                lastSeq: number;
                usage: {
                    inputTokens: number;
                    outputTokens: number;
                    reasoningTokens?: number;
                    cachedTokens?: number;
                    /** @description USD; absent when the price of a model is unknown */
                    costUsd?: number;
                };
                limits: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                endedAt?: string;
            };
            /** @description in the order of their starts */
            waterfall: {
                kind: "queue" | "model" | "tool" | "human" | "child" | "compaction";
                name: string;
                id?: string;
                fromSeq: number;
                toSeq?: number;
                /** @description milliseconds after the run was accepted */
                startMs: number;
                /** @description absent while it goes on */
                durationMs?: number;
                /** @description milliseconds after the start of the row */
                firstTokenMs?: number;
                ok?: boolean;
                outcome?: string;
                isCached?: boolean;
                isDuplicate?: boolean;
                inputTokens?: number;
                cachedTokens?: number;
                outputTokens?: number;
                /** @description USD; absent when a price is unknown */
                costUsd?: number;
            }[];
            /** @description only the first 100,000 events are in the waterfall */
            isTruncated: boolean;
            /** @description the events are no longer kept */
            isExpired: boolean;
            /** @description tools of the run; reasons and scores are found anew */
            tools: {
                name: string;
                why: "always" | "toolset" | "skill_hint" | "relevance";
                score?: number;
            }[];
            /** @description what the first model call was made of, estimated */
            prompt: {
                layers: {
                    name: "prompt" | "tools" | "message" | "conversation";
                    tokens: number;
                }[];
                estimatedTokens: number;
            };
            errors: {
                seq: number;
                kind: "tool" | "model" | "run";
                name: string;
                code?: string;
                message?: string;
                messageZh?: string;
            }[];
            children: {
                runId: string;
                sessionId: string;
                status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                agent: string;
            }[];
            /** @description what starts the same run again; only for keys with the scope chat */
            again?: {
                input: string;
                agent: string;
                sessionId: string;
                model?: string;
                parameters?: {
                    [key: string]: unknown;
                };
            };
        };
        OpsRunExport: {
            run: {
                runId: string;
                sessionId: string;
                tenantId: string;
                parentRunId?: string;
                status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                door: string;
                agent: string;
                keyName?: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                startedAt?: string;
                reason?: string;
                error?: {
                    code: string;
                    message: string;
                    messageZh?: string;
                };
                locale: string;
                model?: string;
                node?: string;
                /** @description how often it changed its process, from 1 */
                epoch: number;
                recoveries: number;
                lastSeq: number;
                usage: {
                    inputTokens: number;
                    outputTokens: number;
                    reasoningTokens?: number;
                    cachedTokens?: number;
                    /** @description USD; absent when the price of a model is unknown */
                    costUsd?: number;
                };
                limits: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                endedAt?: string;
            };
            /** @description in the order of their starts */
            waterfall: {
                kind: "queue" | "model" | "tool" | "human" | "child" | "compaction";
                name: string;
                id?: string;
                fromSeq: number;
                toSeq?: number;
                /** @description milliseconds after the run was accepted */
                startMs: number;
                /** @description absent while it goes on */
                durationMs?: number;
                /** @description milliseconds after the start of the row */
                firstTokenMs?: number;
                ok?: boolean;
                outcome?: string;
                isCached?: boolean;
                isDuplicate?: boolean;
                inputTokens?: number;
                cachedTokens?: number;
                outputTokens?: number;
                /** @description USD; absent when a price is unknown */
                costUsd?: number;
            }[];
            /** @description only the first 100,000 events are in the waterfall */
            isTruncated: boolean;
            /** @description the events are no longer kept */
            isExpired: boolean;
            /** @description tools of the run; reasons and scores are found anew */
            tools: {
                name: string;
                why: "always" | "toolset" | "skill_hint" | "relevance";
                score?: number;
            }[];
            /** @description what the first model call was made of, estimated */
            prompt: {
                layers: {
                    name: "prompt" | "tools" | "message" | "conversation";
                    tokens: number;
                }[];
                estimatedTokens: number;
            };
            errors: {
                seq: number;
                kind: "tool" | "model" | "run";
                name: string;
                code?: string;
                message?: string;
                messageZh?: string;
            }[];
            children: {
                runId: string;
                sessionId: string;
                status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                agent: string;
            }[];
            /** @description what starts the same run again; only for keys with the scope chat */
            again?: {
                input: string;
                agent: string;
                sessionId: string;
                model?: string;
                parameters?: {
                    [key: string]: unknown;
                };
            };
            /** Format: date-time */
            exportedAt: string;
            /** @description false: texts are replaced by their lengths */
            hasTexts: boolean;
            /** @description at most 20,000 */
            events: {
                [key: string]: unknown;
            }[];
        };
        OpsRunCancelled: {
            runId: string;
            sessionId: string;
            status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
        };
        OpsCancelled: {
            /** @description runs that are being cancelled */
            runIds: string[];
        };
        OpsPeople: {
            /** Format: date-time */
            at: string;
            /** @description oldest first; answer by the routes of clarifications and approvals */
            waiting: {
                requestId: string;
                kind: "clarification" | "approval";
                tenantId: string;
                sessionId: string;
                runId: string;
                mode: "wait" | "text";
                tool?: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
                /** @description readers of the session in the process that answers */
                connected: number;
            }[];
            connections: number;
        };
        OpsTools: {
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            countedSince: string;
            tools: {
                name: string;
                toolset: string;
                origin: string;
                label: string;
                labelZh: string;
                effect: string;
                enabled: boolean;
                reason?: string;
                reasonZh?: string;
                /** @description an operator has switched it off */
                isSwitchedOff: boolean;
                problems?: string[];
                calls: number;
                errors: number;
                p50Ms?: number;
                p95Ms?: number;
                cached: number;
                duplicates: number;
                /** @description characters of all results */
                resultUnits: number;
                lastError?: {
                    status: string;
                    /** Format: date-time */
                    at: string;
                };
            }[];
            /** @description patches by the level that found the place */
            patchLevels: {
                [key: string]: number;
            };
            mcpServers: {
                /** @description as in config/mcp.yaml; the toolset of its tools */
                name: string;
                /** @description sse: the older HTTP transport */
                transport: "stdio" | "http" | "sse";
                /** @description failed: not connected now, or described wrongly in the file */
                state: "connected" | "connecting" | "failed" | "disabled";
                /** @description names of its tools that can be called, as in the catalog */
                tools: string[];
                /** @description why it is not connected */
                error?: string;
                /** @description false: the file turns it off or describes it wrongly */
                enabled: boolean;
                /** @description what an operator should mend */
                problems: string[];
                /** @description what the server calls itself */
                server?: {
                    name: string;
                    version: string;
                };
                /** @description milliseconds until it is connected again */
                nextTryMs?: number;
            }[];
            /** @description each with its file and line */
            manifestProblems: string[];
            /** @description the warnings with their codes, in both languages */
            manifestNotices: {
                code: "file" | "model" | "price" | "mcp_server" | "mcp_tools" | "agent" | "skill" | "tool" | "other";
                message: string;
                messageZh: string;
                file?: string;
                /** @description JSON pointer */
                field?: string;
                line?: number;
            }[];
        };
        OpsToolSwitch: {
            name: string;
            enabled: boolean;
        };
        OpsModels: {
            /** Format: date-time */
            at: string;
            source: string;
            /** Format: date-time */
            countedSince: string;
            /** @description models with unpriced calls first */
            models: {
                id: string;
                model: string;
                label?: string;
                provider: string;
                state: "ok" | "cooling" | "failing" | "unknown";
                reason?: string;
                reasonZh?: string;
                isDefault: boolean;
                contextWindow?: number;
                priceSource: "models.yaml" | "list" | "none";
                /** @description US dollars per million tokens */
                price?: {
                    input: number;
                    output: number;
                    cachedInput?: number;
                };
                /** @description name and version of the price list */
                priceList?: string;
                /** @description day of the list, or of the last change of models.yaml */
                priceDate?: string;
                today: {
                    runs: number;
                    inputTokens: number;
                    cachedTokens: number;
                    outputTokens: number;
                    costUsd: number;
                    unpricedRuns: number;
                };
                calls?: number;
                errors?: number;
                retries?: number;
                fallbacks?: number;
                lastError?: {
                    code: string;
                    /** Format: date-time */
                    at: string;
                };
                firstTokenP50Ms?: number;
                firstTokenP95Ms?: number;
                callP95Ms?: number;
                inputTokens?: number;
                cachedTokens?: number;
                outputTokens?: number;
                reasoningTokens?: number;
                costUsd?: number;
                unpricedCalls?: number;
            }[];
            today: {
                day: string;
                byAgent: {
                    name: string;
                    runs: number;
                    inputTokens: number;
                    cachedTokens: number;
                    outputTokens: number;
                    costUsd: number;
                    unpricedRuns: number;
                }[];
                byKey: {
                    name: string;
                    runs: number;
                    inputTokens: number;
                    cachedTokens: number;
                    outputTokens: number;
                    costUsd: number;
                    unpricedRuns: number;
                }[];
            };
        };
        OpsLimits: {
            /** Format: date-time */
            at: string;
            accepting: {
                accepting: boolean;
                /** @description whose runs are paused: those of the tenant, or all */
                scope?: "tenant" | "gateway";
                reason?: string;
                changedBy?: string;
                /** Format: date-time */
                changedAt?: string;
                /** @description pauses of single tenants, for those who see all tenants */
                tenants?: {
                    tenantId: string;
                    reason?: string;
                    changedBy: string;
                    /** Format: date-time */
                    changedAt: string;
                }[];
            };
            limits: {
                scope: "key" | "tenant";
                name: string;
                tenantId: string;
                /** @description name of the limit in limits.yaml */
                limit: string;
                /** @description absent for rates, which are counted in advance */
                used?: number;
                max: number;
                /** Format: date-time */
                resetsAt?: string;
                /** @description added by operators for today, beside max */
                raised?: number;
                /** @description used at the end of the day, if it goes on so */
                forecast?: number;
                lastBlock?: {
                    /** Format: date-time */
                    at: string;
                    code: string;
                };
            }[];
            /** @description the last 100 of this process */
            refusals: {
                /** Format: date-time */
                at: string;
                tenantId: string;
                keyName: string;
                code: string;
                message: string;
                messageZh?: string;
                scope?: string;
                limit?: string;
            }[];
            /** @description limits of each process */
            gateway: {
                concurrentRuns: number;
                queuedRuns: number;
            };
        };
        OpsAccepting: {
            accepting: boolean;
            /** @description whose runs are paused: those of the tenant, or all */
            scope?: "tenant" | "gateway";
            reason?: string;
            changedBy?: string;
            /** Format: date-time */
            changedAt?: string;
            /** @description pauses of single tenants, for those who see all tenants */
            tenants?: {
                tenantId: string;
                reason?: string;
                changedBy: string;
                /** Format: date-time */
                changedAt: string;
            }[];
        };
        OpsConnections: {
            /** Format: date-time */
            at: string;
            connections: {
                id: string;
                node: string;
                tenantId: string;
                keyName: string;
                transport: string;
                /** Format: date-time */
                connectedAt: string;
                userAgent?: string;
                sessions: number;
                bufferedBytes: number;
                /** @description version of the Engine.IO protocol */
                protocol?: number;
                /** @description of the last heartbeat; absent until one was measured */
                lagMs?: number;
                /** @description took over the state of an earlier connection */
                recovered?: boolean;
                /** @description subscriptions that got what they had missed */
                replayed?: number;
                /** @description subscriptions that could not get all they had missed */
                gaps?: number;
            }[];
        };
        OpsConfig: {
            /** Format: date-time */
            at: string;
            version: string;
            nodeVersion: string;
            /** Format: date-time */
            startedAt: string;
            settings: {
                name: string;
                section: string;
                /** @description a secret shows as *** */
                value?: string;
                /** @description file: models.yaml replaces it */
                source: "default" | "environment" | "none" | "file";
                isSecret: boolean;
            }[];
            files: {
                name: string;
                state: "ok" | "absent" | "invalid";
                /** Format: date-time */
                changedAt?: string;
                bytes?: number;
                problems: string[];
                /** @description changed since the start, and read at the start only */
                needsRestart: boolean;
                /** Format: date-time */
                reloadedAt?: string;
                /** @description PUT /ops/config/<name> can change it */
                isEditable: boolean;
            }[];
            /** @description false: the directory is read-only */
            isWritable: boolean;
            warnings: string[];
            /** @description the warnings with their codes, in both languages */
            notices: {
                code: "file" | "model" | "price" | "mcp_server" | "mcp_tools" | "agent" | "skill" | "tool" | "other";
                message: string;
                messageZh: string;
                file?: string;
                /** @description JSON pointer */
                field?: string;
                line?: number;
            }[];
        };
        OpsDoctor: {
            /** @description nothing fails */
            ok: boolean;
            checks: {
                name: string;
                status: "ok" | "warn" | "fail";
                message: string;
            }[];
        };
        ChatCompletion: {
            /** @description chatcmpl- and the id of the run */
            id: string;
            /** @constant */
            object: "chat.completion";
            /** @description seconds since 1970 */
            created: number;
            /** @description the name in the request */
            model: string;
            choices: {
                index: number;
                message: {
                    /** @constant */
                    role: "assistant";
                    content: string | null;
                    refusal: null;
                    tool_calls?: {
                        id: string;
                        /** @constant */
                        type: "function";
                        function: {
                            name: string;
                            arguments: string;
                        };
                    }[];
                };
                logprobs: null;
                finish_reason: "stop" | "length" | "tool_calls" | "content_filter";
            }[];
            usage: {
                prompt_tokens: number;
                completion_tokens: number;
                total_tokens: number;
                prompt_tokens_details: {
                    cached_tokens: number;
                };
                completion_tokens_details: {
                    reasoning_tokens: number;
                };
            };
        };
        Response: {
            /** @description resp_ and the id of the run */
            id: string;
            /** @constant */
            object: "response";
            /** @description seconds since 1970 */
            created_at: number;
            /** @description the last four are final */
            status: "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
            completed_at: number | null;
            error: {
                /** @description a code of the table of errors */
                code: string;
                message: string;
            } | null;
            incomplete_details: {
                /** @description max_output_tokens, content_filter, or a reason of this gateway: max_iterations, budget, timeout, model_cut */
                reason: string;
            } | null;
            output: ({
                id: string;
                /** @constant */
                type: "message";
                status: "in_progress" | "completed" | "incomplete";
                /** @constant */
                role: "assistant";
                content: {
                    /** @constant */
                    type: "output_text";
                    text: string;
                    annotations: unknown[];
                    logprobs: unknown[];
                }[];
            } | {
                id: string;
                /** @constant */
                type: "reasoning";
                status: "in_progress" | "completed" | "incomplete";
                summary: {
                    /** @constant */
                    type: "summary_text";
                    text: string;
                }[];
            } | {
                id: string;
                /** @constant */
                type: "function_call";
                status: "in_progress" | "completed" | "incomplete";
                call_id: string;
                name: string;
                /** @description JSON as the model wrote it */
                arguments: string;
            })[];
            usage: {
                input_tokens: number;
                input_tokens_details: {
                    cached_tokens: number;
                    cache_write_tokens: number;
                };
                output_tokens: number;
                output_tokens_details: {
                    reasoning_tokens: number;
                };
                total_tokens: number;
            } | null;
            /** @description the response goes on when its caller leaves */
            background: boolean;
            instructions: string | null;
            max_output_tokens: number | null;
            max_tool_calls: number | null;
            metadata: {
                [key: string]: string;
            };
            /** @description the agent */
            model: string;
            parallel_tool_calls: boolean;
            previous_response_id: string | null;
            reasoning: {
                effort: string | null;
                summary: string | null;
            };
            /** @description false: the response can never be read again */
            store: boolean;
            temperature: number | null;
            text: {
                [key: string]: unknown;
            };
            tool_choice: string | {
                [key: string]: unknown;
            };
            /** @description the functions that the caller declared */
            tools: {
                [key: string]: unknown;
            }[];
            top_p: number | null;
            truncation: "auto" | "disabled";
            user: string | null;
        };
        ResponseInputItems: {
            /** @constant */
            object: "list";
            data: {
                [key: string]: unknown;
            }[];
            first_id: string | null;
            last_id: string | null;
            has_more: boolean;
        };
        ResponseDeleted: {
            id: string;
            /** @constant */
            object: "response";
            /** @constant */
            deleted: true;
        };
        OpenAiModels: {
            /** @constant */
            object: "list";
            data: {
                id: string;
                /** @constant */
                object: "model";
                created: number;
                owned_by: string;
            }[];
        };
        OpenAiModel: {
            id: string;
            /** @constant */
            object: "model";
            created: number;
            owned_by: string;
        };
        Memory: {
            id: string;
            text: string;
            kind: "fact" | "preference" | "project" | "other";
            source: {
                by: "person" | "agent";
                sessionId?: string;
                runId?: string;
                /** @description a tool result of the same turn held the text */
                tainted?: boolean;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: date-time
             * @description the newest recall
             */
            lastUsedAt?: string;
        };
        SavedMemory: {
            id: string;
            text: string;
            kind: "fact" | "preference" | "project" | "other";
            source: {
                by: "person" | "agent";
                sessionId?: string;
                runId?: string;
                /** @description a tool result of the same turn held the text */
                tainted?: boolean;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: date-time
             * @description the newest recall
             */
            lastUsedAt?: string;
            /** @description created; updated: a memory with the same words; near_duplicate: nothing was stored, this memory says nearly the same */
            outcome: "created" | "updated" | "near_duplicate";
        };
        Skill: {
            name: string;
            /** @description empty when it cannot be read */
            description: string;
            /** @description config: from the operator, read-only; agent: made by the agent or over REST */
            source: "config" | "agent";
            /** @description paths of its files, SKILL.md included */
            files: string[];
            /** @description names in allowed-tools */
            tools: string[];
            /** @description whether the agent can use it */
            enabled: boolean;
            /** @description mistakes, each with file and line */
            problems: string[];
            /** @description mistakes with which the skill can be used all the same, such as another name than the folder */
            warnings: string[];
            /** @description whether the agent has read it in the session of the query */
            active?: boolean;
        };
        SkillDetail: {
            name: string;
            /** @description empty when it cannot be read */
            description: string;
            /** @description config: from the operator, read-only; agent: made by the agent or over REST */
            source: "config" | "agent";
            /** @description paths of its files, SKILL.md included */
            files: string[];
            /** @description names in allowed-tools */
            tools: string[];
            /** @description whether the agent can use it */
            enabled: boolean;
            /** @description mistakes, each with file and line */
            problems: string[];
            /** @description mistakes with which the skill can be used all the same, such as another name than the folder */
            warnings: string[];
            /** @description SKILL.md; absent when it cannot be read as text */
            content?: string;
            license?: string;
            compatibility?: string;
            metadata?: {
                [key: string]: string;
            };
        };
        Job: {
            id: string;
            name: string;
            schedule: {
                cron?: string;
                timeZone?: string;
                everyMs?: number;
                /** Format: date-time */
                at?: string;
            };
            input: string;
            agent: string;
            session: "new" | "same";
            onMissed: "run" | "skip";
            onOverlap: "skip" | "queue";
            enabled: boolean;
            /**
             * Format: date-time
             * @description absent while the job is disabled
             */
            nextRunAt?: string;
            lastRun?: {
                runId: string;
                sessionId: string;
                /**
                 * Format: date-time
                 * @description for a manual run the time of the request
                 */
                dueAt: string;
                /**
                 * Format: date-time
                 * @description absent while the run is queued
                 */
                startedAt?: string;
                status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                trigger: "schedule" | "manual" | "missed";
            };
            /** @description why the gateway disabled the job */
            pausedReason?: string;
            locale: "en" | "zh-CN";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        JobRunStarted: {
            runId: string;
            sessionId: string;
        };
        JobRun: {
            runId: string;
            sessionId: string;
            /**
             * Format: date-time
             * @description for a manual run the time of the request
             */
            dueAt: string;
            /**
             * Format: date-time
             * @description absent while the run is queued
             */
            startedAt?: string;
            status: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
            trigger: "schedule" | "manual" | "missed";
        };
        Webhook: {
            id: string;
            url: string;
            /** @description run.completed: status completed or incomplete; run.waiting: a question or an approval waits; budget.threshold: most of a daily budget is used */
            events: ("run.completed" | "run.failed" | "run.cancelled" | "run.waiting" | "budget.threshold")[];
            /** @description false after the server answered 410 */
            enabled: boolean;
            disabledReason?: string;
            /** Format: date-time */
            createdAt: string;
        };
        NewWebhook: {
            id: string;
            url: string;
            /** @description run.completed: status completed or incomplete; run.waiting: a question or an approval waits; budget.threshold: most of a daily budget is used */
            events: ("run.completed" | "run.failed" | "run.cancelled" | "run.waiting" | "budget.threshold")[];
            /** @description false after the server answered 410 */
            enabled: boolean;
            disabledReason?: string;
            /** Format: date-time */
            createdAt: string;
            /** @description signs the deliveries; shown only here, and not again in a replay */
            secret?: string;
        };
        WebhookDelivery: {
            /** @description the header webhook-id, the same for each try */
            id: string;
            webhookId: string;
            type: "run.completed" | "run.failed" | "run.cancelled" | "run.waiting" | "budget.threshold";
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /** Format: date-time */
            nextAttemptAt?: string;
            /** @description HTTP status of the last answer */
            lastStatus?: number;
            lastError?: string;
            body: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt?: string;
        };
        FoundMessage: {
            sessionId: string;
            /** @description set for the session of a crew member, where the role user is the master that gave the task */
            parentSessionId?: string;
            /** @description title of the session */
            title: string;
            runId: string;
            role: "user" | "assistant";
            /** @description the text around the hit: plain text on one line */
            snippet: string;
            /** Format: date-time */
            at: string;
            /** @description a higher score is a better match, within one search */
            score: number;
        };
        RunStartEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_start";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                door: "socketio" | "rest" | "openai" | "responses" | "agui" | "mcp" | "job" | "child";
                agent: string;
                model: string;
                /**
                 * @description present when the model is the demo, a script and not an AI
                 * @constant
                 */
                demo?: true;
                tools: string[];
                /** @description the message that started the run */
                input: string;
                /** @description the images of the message */
                images?: {
                    id: string;
                    mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                    /** @description size of the image */
                    bytes: number;
                }[];
            };
        };
        TextDeltaEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "text_delta";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                text: string;
            };
        };
        ReasoningDeltaEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reasoning_delta";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                text: string;
            };
        };
        MessageEndEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message_end";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                role: "assistant" | "user";
                content: string;
                toolCalls?: {
                    toolCallId: string;
                    name: string;
                    arguments: string;
                }[];
                /**
                 * @description present when a limit of the model cut the text
                 * @constant
                 */
                truncated?: true;
                /** @description which limit cut the text; present together with truncated */
                reason?: "output_limit" | "content_filter" | "model_cut";
            };
        };
        ToolCallStartEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call_start";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                toolCallId: string;
                name: string;
                label: string;
                args: unknown;
                /** @description the command of a manifest */
                command?: string;
            };
        };
        ToolCallDeltaEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call_delta";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                toolCallId: string;
                name: string;
                output: string;
            };
        };
        ToolCallEndEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "tool_call_end";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                toolCallId: string;
                name: string;
                label: string;
                ok: boolean;
                /** @description truncated for display */
                result: string;
                durationMs: number;
                status?: "cancelled" | "unknown";
                cached?: boolean;
                duplicate?: boolean;
                details?: {
                    [key: string]: unknown;
                };
            };
        };
        DelegateStartEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delegate_start";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                childRunId: string;
                /** @description subscribe to this session to follow the child run */
                childSessionId: string;
                member: string;
                /** @description truncated for display */
                task: string;
                /** @description the tool call that delegates */
                toolCallId: string;
            };
        };
        DelegateEndEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "delegate_end";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                childRunId: string;
                member: string;
                toolCallId: string;
                status: "completed" | "incomplete" | "failed" | "cancelled";
                /** @description why the run is incomplete */
                reason?: "max_iterations" | "output_limit" | "content_filter" | "budget" | "timeout" | "model_cut";
                /** @description the report, or the question of the member, truncated for display */
                summary: string;
                usage: {
                    inputTokens: number;
                    outputTokens: number;
                    reasoningTokens?: number;
                    cachedTokens?: number;
                    /** @description USD; absent when the price of a model is unknown */
                    costUsd?: number;
                };
                durationMs: number;
                escalation?: {
                    question: string;
                    choices?: string[];
                };
                error?: {
                    code: string;
                    message: string;
                    retryable: boolean;
                };
            };
        };
        TodoUpdateEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "todo_update";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                todos: {
                    /** @description short unique id, kept for the life of the item */
                    id: string;
                    /** @description what is to be done */
                    content: string;
                    /** @description at most one item is in_progress */
                    status: "pending" | "in_progress" | "completed" | "cancelled";
                }[];
                summary: {
                    total: number;
                    pending: number;
                    in_progress: number;
                    completed: number;
                    cancelled: number;
                };
            };
        };
        ClarifyRequestEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clarify_request";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                requestId: string;
                question: string;
                choices?: string[];
                expiresAt: string;
            };
        };
        ClarifyEndEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clarify_end";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                requestId: string;
                status: "answered" | "expired" | "cancelled";
                answer?: string;
                /** @description name of the API key with which a person answered; absent without keys */
                decidedBy?: string;
            };
        };
        ApprovalRequestEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval_request";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                requestId: string;
                toolCallId: string;
                tool: string;
                label: string;
                /** @description exactly the arguments that would run, not truncated */
                args: unknown;
                /** @description why the call needs approval */
                reason: string;
                /** @description what allow_session covers: the same call again, everything that the same rule asks about for this tool, or nothing more than allow_once */
                sessionScope: "exact" | "rule" | "none";
                /** @description present when the call could send outside what these calls read */
                taint?: {
                    toolCallId: string;
                    tool: string;
                    /** @description private: it read content of the workspace, or it is a memory; untrusted: it read text that any outsider may have written */
                    kind: "private" | "untrusted";
                    /** @description what it read: a path, an address, a command or a memory; may be truncated */
                    source: string;
                }[];
                expiresAt: string;
                /** @description present in the log of the parent run: the child run that asks */
                childRunId?: string;
                childSessionId?: string;
            };
        };
        ApprovalEndEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approval_end";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                requestId: string;
                /** @description allow_once: this call; allow_session: the calls that sessionScope names; deny: the call does not run */
                decision: "allow_once" | "allow_session" | "deny";
                /** @description with deny: the model reads it */
                reason?: string;
                /** @description with allow_once: the arguments to run instead of the requested ones */
                args?: {
                    [key: string]: unknown;
                };
                status: "answered" | "expired" | "cancelled";
                /** @description name of the API key with which a person answered; absent without keys */
                decidedBy?: string;
            };
        };
        ModelFallbackEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "model_fallback";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                /** @description id of the model that was left */
                from: string;
                /** @description id of the model that is asked next */
                to: string;
                /** @description a sentence for people */
                reason: string;
                /** @description code of the error */
                code?: string;
            };
        };
        UsageEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                inputTokens: number;
                outputTokens: number;
                reasoningTokens?: number;
                cachedTokens?: number;
                /** @description USD; absent when the price of a model is unknown */
                costUsd?: number;
                /** @description id of the model that answered, when it is not the one of run_start */
                model?: string;
            };
        };
        ContextCompactedEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "context_compacted";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                /** @description estimated tokens of the next request before */
                beforeTokens: number;
                /** @description and with the summary instead */
                afterTokens: number;
                /** @description number of messages that the summary replaces */
                messages: number;
                /** @description what the model gets instead of them */
                summary: string;
            };
        };
        RunEndEvent: {
            /** @constant */
            v: 1;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "run_end";
            sessionId: string;
            runId: string;
            /** @description number in its run: from 1, without a gap */
            seq: number;
            /** Format: date-time */
            ts: string;
            data: {
                status: "completed" | "incomplete" | "failed" | "cancelled";
                /** @description why the run is incomplete */
                reason?: "max_iterations" | "output_limit" | "content_filter" | "budget" | "timeout" | "model_cut";
                text: string;
                usage: {
                    inputTokens: number;
                    outputTokens: number;
                    reasoningTokens?: number;
                    cachedTokens?: number;
                    /** @description USD; absent when the price of a model is unknown */
                    costUsd?: number;
                };
                error?: {
                    code: string;
                    message: string;
                    retryable: boolean;
                };
                clarification?: {
                    requestId: string;
                    question: string;
                    choices?: string[];
                    expiresAt: string;
                };
                escalation?: {
                    question: string;
                    choices?: string[];
                };
                /** @description calls of the tools that the caller brought; the caller runs them */
                callerCalls?: {
                    toolCallId: string;
                    name: string;
                    arguments: string;
                }[];
            };
        };
    };
    responses: {
        /** @description Any other error of the request */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Error"];
            };
        };
        /** @description An error from the table of errors */
        Failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listRuns: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                sessionId?: string;
                status?: "queued" | "running" | "waiting" | "completed" | "incomplete" | "failed" | "cancelled";
                /** @description only what this run delegated */
                parent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Run"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    startRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same body gives the same run; the answer then carries Idempotency-Replayed: true */
                "idempotency-key"?: string;
                /** @description respond-async: answer 202 at once; wait=N: answer 202 when the run has not ended after N seconds */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the message to the agent */
                    input: string;
                    /** @description png, jpeg, webp or gif, at most 5 MiB each and 10 MiB together: { mediaType, base64 } or { path }. Over Socket.IO, base64 within the limit of a message. A model that cannot see gets a line of text for each. */
                    images?: {
                        /** @description needed beside base64; must be what the bytes are */
                        mediaType?: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                        /** @description the bytes of the image */
                        base64?: string;
                        /** @description a file in the workspace, instead of mediaType and base64 */
                        path?: string;
                    }[];
                    /** @description the session to continue; a new one when left out */
                    sessionId?: string;
                    /** @description name of an agent; the session's own when left out */
                    agent?: string;
                    /** @description language of this run */
                    locale?: "en" | "zh-CN";
                    /**
                     * @description text: a question ends the run and is its answer; wait: the run waits for the answer of a person
                     * @default text
                     */
                    clarify?: "text" | "wait";
                    /**
                     * @description when the session already has a run: wait in the queue, answer 409, cancel the other run, or send the text into the other run
                     * @default enqueue
                     */
                    onBusy?: "enqueue" | "reject" | "interrupt" | "steer";
                    /** @description id of a model; that of the session or of the agent when left out */
                    model?: string;
                    /** @description parameters of the model calls */
                    parameters?: {
                        /** @description 0: nearly the same answer each time */
                        temperature?: number;
                        /** @description most tokens of one answer */
                        maxOutputTokens?: number;
                        /** @description nucleus sampling */
                        topP?: number;
                        /** @description the answer ends before one of these texts */
                        stop?: string | string[];
                        /** @description the same seed makes the same answer more likely */
                        seed?: number;
                        /** @description further fields of the request to the model server, sent as they are */
                        extra?: {
                            [key: string]: unknown;
                        };
                        /** @description another name of maxOutputTokens */
                        maxTokens?: number;
                        /** @description another name of maxOutputTokens */
                        max_tokens?: number;
                        /** @description another name of topP */
                        top_p?: number;
                    };
                    /** @description any data of your own, at most 16 KiB as JSON; stored and returned unchanged */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description narrows the tools of the agent, and of the members to which it delegates; GET /api/v1/tools lists the names */
                    tools?: {
                        /** @description names of the only tools that the run may use */
                        allow?: string[];
                        /** @description names of tools that the run may not use; counts before allow */
                        deny?: string[];
                    };
                    /** @description narrow the limits of the key; reaching one ends the run as incomplete */
                    limits?: {
                        /** @description model calls with tools */
                        maxToolIterations?: number;
                        /** @description milliseconds; waiting for a person does not count */
                        timeoutMs?: number;
                        /** @description input and output tokens of all model calls, child runs included; one answer may exceed it, and no call follows */
                        maxTokens?: number;
                        /** @description USD for all model calls, child runs included */
                        maxCostUsd?: number;
                        /** @description tool calls, child runs included */
                        maxToolCalls?: number;
                    };
                };
            };
        };
        responses: {
            /** @description The run has ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResult"];
                    "text/event-stream": string;
                };
            };
            /** @description The run is accepted; Location says where to read it */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `session_busy`: The session already has a run in progress. `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `draining`: The gateway is stopping and takes no new runs. `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunWithResult"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listRunEvents: {
        parameters: {
            query?: {
                /** @description the last seq that you have, or nextCursor */
                after?: number;
                /** @description events of a page */
                limit?: number;
            };
            header?: {
                /** @description the same as after, as event sources send it when they reconnect */
                "last-event-id"?: number;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RunEvent"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description The run has ended and Last-Event-ID is its last event: the event source may stop */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `events_expired`: The events after this cursor are no longer kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunResult"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    cancelToolCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallStopped"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    steerRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a message for the run in progress */
                    text: string;
                };
            };
        };
        responses: {
            /** @description The message is stored; runId says which run gets it */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SteerAccepted"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    previewRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the message to the agent */
                    input: string;
                    /** @description png, jpeg, webp or gif, at most 5 MiB each and 10 MiB together: { mediaType, base64 } or { path }. Over Socket.IO, base64 within the limit of a message. A model that cannot see gets a line of text for each. */
                    images?: {
                        /** @description needed beside base64; must be what the bytes are */
                        mediaType?: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
                        /** @description the bytes of the image */
                        base64?: string;
                        /** @description a file in the workspace, instead of mediaType and base64 */
                        path?: string;
                    }[];
                    /** @description the session to continue; a new one when left out */
                    sessionId?: string;
                    /** @description name of an agent; the session's own when left out */
                    agent?: string;
                    /** @description language of this run */
                    locale?: "en" | "zh-CN";
                    /**
                     * @description text: a question ends the run and is its answer; wait: the run waits for the answer of a person
                     * @default text
                     */
                    clarify?: "text" | "wait";
                    /**
                     * @description when the session already has a run: wait in the queue, answer 409, cancel the other run, or send the text into the other run
                     * @default enqueue
                     */
                    onBusy?: "enqueue" | "reject" | "interrupt" | "steer";
                    /** @description id of a model; that of the session or of the agent when left out */
                    model?: string;
                    /** @description parameters of the model calls */
                    parameters?: {
                        /** @description 0: nearly the same answer each time */
                        temperature?: number;
                        /** @description most tokens of one answer */
                        maxOutputTokens?: number;
                        /** @description nucleus sampling */
                        topP?: number;
                        /** @description the answer ends before one of these texts */
                        stop?: string | string[];
                        /** @description the same seed makes the same answer more likely */
                        seed?: number;
                        /** @description further fields of the request to the model server, sent as they are */
                        extra?: {
                            [key: string]: unknown;
                        };
                        /** @description another name of maxOutputTokens */
                        maxTokens?: number;
                        /** @description another name of maxOutputTokens */
                        max_tokens?: number;
                        /** @description another name of topP */
                        top_p?: number;
                    };
                    /** @description any data of your own, at most 16 KiB as JSON; stored and returned unchanged */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description narrows the tools of the agent, and of the members to which it delegates; GET /api/v1/tools lists the names */
                    tools?: {
                        /** @description names of the only tools that the run may use */
                        allow?: string[];
                        /** @description names of tools that the run may not use; counts before allow */
                        deny?: string[];
                    };
                    /** @description narrow the limits of the key; reaching one ends the run as incomplete */
                    limits?: {
                        /** @description model calls with tools */
                        maxToolIterations?: number;
                        /** @description milliseconds; waiting for a person does not count */
                        timeoutMs?: number;
                        /** @description input and output tokens of all model calls, child runs included; one answer may exceed it, and no call follows */
                        maxTokens?: number;
                        /** @description USD for all model calls, child runs included */
                        maxCostUsd?: number;
                        /** @description tool calls, child runs included */
                        maxToolCalls?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPreview"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listClarifications: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                status?: "pending" | "answered" | "expired" | "cancelled";
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Question"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    answerClarification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                requestId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description your own words, or the number of a choice */
                    answer: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answered"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `clarification_closed`: The question is no longer open. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                status?: "pending" | "answered" | "expired" | "cancelled";
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Approval"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                requestId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description allow_once: this call; allow_session: the calls that sessionScope names; deny: the call does not run */
                    decision: "allow_once" | "allow_session" | "deny";
                    /** @description with deny: the model reads it */
                    reason?: string;
                    /** @description with allow_once: the arguments to run instead of the requested ones */
                    args?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Decided"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `clarification_closed`: The question is no longer open. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description only what this run delegated */
                parent?: string;
                /** @description only sessions that requests of OpenAI clients made */
                origin?: "openai";
                /** @description words in the title, in any order */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    agent?: string;
                    locale?: "en" | "zh-CN";
                    thinkingLevel?: "off" | "minimal" | "low" | "medium" | "high";
                    /** @description id of a model; null: that of the agent */
                    model?: string | null;
                    /** @description replace the earlier ones; null: none */
                    parameters?: {
                        /** @description 0: nearly the same answer each time */
                        temperature?: number;
                        /** @description most tokens of one answer */
                        maxOutputTokens?: number;
                        /** @description nucleus sampling */
                        topP?: number;
                        /** @description the answer ends before one of these texts */
                        stop?: string | string[];
                        /** @description the same seed makes the same answer more likely */
                        seed?: number;
                        /** @description further fields of the request to the model server, sent as they are */
                        extra?: {
                            [key: string]: unknown;
                        };
                        /** @description another name of maxOutputTokens */
                        maxTokens?: number;
                        /** @description another name of maxOutputTokens */
                        max_tokens?: number;
                        /** @description another name of topP */
                        top_p?: number;
                    } | null;
                    /** @description any data of your own, at most 16 KiB as JSON; stored and returned unchanged */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The session exists; Location says where */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                    agent?: string;
                    locale?: "en" | "zh-CN";
                    thinkingLevel?: "off" | "minimal" | "low" | "medium" | "high";
                    /** @description id of a model; null: that of the agent */
                    model?: string | null;
                    /** @description replace the earlier ones; null: none */
                    parameters?: {
                        /** @description 0: nearly the same answer each time */
                        temperature?: number;
                        /** @description most tokens of one answer */
                        maxOutputTokens?: number;
                        /** @description nucleus sampling */
                        topP?: number;
                        /** @description the answer ends before one of these texts */
                        stop?: string | string[];
                        /** @description the same seed makes the same answer more likely */
                        seed?: number;
                        /** @description further fields of the request to the model server, sent as they are */
                        extra?: {
                            [key: string]: unknown;
                        };
                        /** @description another name of maxOutputTokens */
                        maxTokens?: number;
                        /** @description another name of maxOutputTokens */
                        max_tokens?: number;
                        /** @description another name of topP */
                        top_p?: number;
                    } | null;
                    /** @description any data of your own, at most 16 KiB as JSON; stored and returned unchanged */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    exportSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One thing a line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description asc: oldest first; desc: newest first */
                order?: "asc" | "desc";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the image */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                    "image/jpeg": unknown;
                    "image/webp": unknown;
                    "image/gif": unknown;
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    forkSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    title?: string;
                };
            };
        };
        responses: {
            /** @description The new session; Location says where */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description rows of a page; all rows when left out */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: {
                /** @description language of labels and descriptions: zh for Chinese, anything else for English */
                "accept-language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Agent"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description language of labels and descriptions: zh for Chinese, anything else for English */
                "accept-language"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listModels: {
        parameters: {
            query?: {
                /** @description rows of a page; all rows when left out */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listTools: {
        parameters: {
            query?: {
                /** @description rows of a page; all rows when left out */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                toolset?: string;
                origin?: "builtin" | "code" | "mcp" | "manifest";
                /** @description whether the gateway can run the tool */
                enabled?: "true" | "false";
            };
            header?: {
                /** @description language of labels and descriptions: zh for Chinese, anything else for English */
                "accept-language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tool"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listToolsets: {
        parameters: {
            query?: {
                /** @description rows of a page; all rows when left out */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Toolset"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header?: {
                /** @description language of labels and descriptions: zh for Chinese, anything else for English */
                "accept-language"?: string;
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
                /** @description respond-async: answer 202 at once */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a tool, or with command a manifest */
                    toolName: string;
                    /** @description a command of the manifest */
                    command?: string;
                    /**
                     * @description the arguments of the tool
                     * @default {}
                     */
                    parameters?: {
                        [key: string]: unknown;
                    };
                    /** @description milliseconds */
                    timeout?: number;
                    /** @description any data of your own, at most 16 KiB as JSON; the tool gets it. The texts user and agent say for whom the call is and are logged */
                    context?: {
                        locale?: "en" | "zh-CN";
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolCallResult"];
                };
            };
            /** @description The call runs; Location names its execution */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolExecution"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `draining`: The gateway is stopping and takes no new runs. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listToolExecutions: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description a tool, or a manifest with all its commands */
                tool?: string;
                command?: string;
                user?: string;
                agent?: string;
                status?: "running" | "success" | "error" | "cancelled" | "unknown";
                session?: string;
                run?: string;
                /** @description ISO 8601 time in UTC */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ToolExecution"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getToolExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolExecutionDetail"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    undoToolExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Undone"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `undo_conflict`: The change cannot be taken back: the file is not as the change left it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description the directory; the whole workspace without it */
                path?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    downloadFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description one range of bytes, such as bytes=0-1023 */
                range?: string;
                /** @description ETag that the caller has; 304 when it is still the present one */
                "if-none-match"?: string;
                /** @description ETag that the range belongs to */
                "if-range"?: string;
            };
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file, as a download */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The range of the bytes */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The caller has this version */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `range_not_satisfiable`: The range begins behind the end of the file. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that may be changed, or * */
                "if-match"?: string;
                /** @description * : only when there is no such file */
                "if-none-match"?: string;
            };
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description The file is replaced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
            /** @description The file is new; Location says where */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `precondition_failed`: The file is not the version that If-Match or If-None-Match asks for. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETag of the version that may be changed, or * */
                "if-match"?: string;
                /** @description * : only when there is no such file */
                "if-none-match"?: string;
            };
            path: {
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `precondition_failed`: The file is not the version that If-Match or If-None-Match asks for. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description a retry with the same key answers the same id, without the secret */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description recorded with what the key does */
                    name: string;
                    /** @description the tenant of the caller when left out */
                    tenant?: string;
                    /** @description what the key may do */
                    scopes: ("chat" | "tools" | "approve" | "ops:read" | "ops:write" | "admin")[];
                    /** @description UTC time such as 2026-12-31T00:00:00Z; never when left out */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description The key exists */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeApiKey"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `quota_exceeded`: A quota is used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description an API key */
                    key: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description end all logins with this key */
                    everywhere?: boolean;
                };
            };
        };
        responses: {
            /** @description Logged out */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getCaller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsOverview"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listOpsRuns: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description name of the agent */
                agent?: string;
                /** @description door by which they came */
                door?: "socketio" | "rest" | "openai" | "responses" | "agui" | "mcp" | "job" | "child";
                /** @description name of the API key */
                key?: string;
                /** @description only live runs without an event for 60 s that wait for no person */
                stuck?: "true";
                /** @description only runs that ended so */
                status?: "completed" | "incomplete" | "failed" | "cancelled";
                /** @description why they are incomplete */
                reason?: "max_iterations" | "output_limit" | "content_filter" | "budget" | "timeout" | "model_cut";
                /** @description created at this time or later, ISO 8601 */
                since?: string;
                /** @description created before this time, ISO 8601 */
                until?: string;
                /** @description the id of a run or of a session */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsRuns"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsRunDetail"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    exportOpsRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsRunExport"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsPeople: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsPeople"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsTools"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsModels"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsLimits"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsConnections"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsConfig"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    runOpsDoctor: {
        parameters: {
            query?: never;
            header?: {
                /** @description language of labels and descriptions: zh for Chinese, anything else for English */
                "accept-language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDoctor"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsAuditCheck"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    watchOpsView: {
        parameters: {
            query: {
                /** @description the view to watch: the JSON of GET /ops/<view> */
                view: "overview" | "runs" | "people" | "tools" | "models" | "limits" | "connections";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    cancelOpsRuns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description which live runs; at least one field */
                    filter: {
                        /** @description name of the agent */
                        agent?: string;
                        /** @description door by which they came */
                        door?: "socketio" | "rest" | "openai" | "responses" | "agui" | "mcp" | "job" | "child";
                        /** @description name of the API key */
                        key?: string;
                        /** @constant */
                        stuck?: true;
                    };
                    /** @description why; kept in the audit log, so no secrets */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description They are being cancelled */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsCancelled"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    cancelOpsRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description why; kept in the audit log, so no secrets */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsRunCancelled"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    switchTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description false: new turns do not get the tool */
                    enabled: boolean;
                    /** @description why; kept in the audit log, so no secrets */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsToolSwitch"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    setAccepting: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description false: new runs are refused with not_accepting */
                    accepting: boolean;
                    /** @description why; kept in the audit log, so no secrets */
                    reason?: string;
                    /** @description one tenant; others than your own need admin */
                    tenant?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsAccepting"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listOpsSessions: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description one tenant; others than your own need admin */
                tenant?: string;
                /** @description name of the agent */
                agent?: string;
                /** @description only sessions whose last run ended so */
                status?: "completed" | "incomplete" | "failed" | "cancelled";
                /** @description changed at this time or later, ISO 8601 */
                since?: string;
                /** @description sessions of single calls at /v1 */
                origin?: "openai";
                /** @description words of titles and messages, in any language */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsSessions"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    exportOpsSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One thing a line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    deleteOpsSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsQuestion"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    answerOpsQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description for a question: your words, or the number of a choice */
                    answer?: string;
                    /** @description for an approval */
                    decision?: {
                        /** @description allow_once: this call; allow_session: the calls that sessionScope names; deny: the call does not run */
                        decision: "allow_once" | "allow_session" | "deny";
                        /** @description with deny: the model reads it */
                        reason?: string;
                        /** @description with allow_once: the arguments to run instead of the requested ones */
                        args?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsAnswered"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `clarification_closed`: The question is no longer open. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listOpsLogs: {
        parameters: {
            query?: {
                /** @description this level and more serious ones */
                level?: "error" | "warn" | "info" | "debug";
                /** @description the id of a run */
                run?: string;
                /** @description text in the line, upper or lower case */
                q?: string;
                /** @description rows of a page; all rows when left out */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsLogs"];
                    "application/x-ndjson": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    watchOpsLogs: {
        parameters: {
            query?: {
                /** @description this level and more serious ones */
                level?: "error" | "warn" | "info" | "debug";
                /** @description the id of a run */
                run?: string;
                /** @description text in the line, upper or lower case */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpsConfigFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsConfigFile"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    putOpsConfigFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the whole file, YAML */
                    text: string;
                    /** @description hash of the version that you changed; absent for a new file */
                    baseHash?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsConfigWritten"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `config_changed`: The file was changed in the meantime: read it again. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    raiseOpsLimit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    scope: "key" | "tenant";
                    tenant: string;
                    /** @description name of the key, or of the tenant */
                    name: string;
                    limit: "tokensPerDay" | "costPerDayUsd";
                    /** @description tokens or US dollars, for today in UTC */
                    by: number;
                    /** @description why; kept in the audit log, so no secrets */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsRaisedLimit"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    disconnectOpsConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpsDisconnected"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    readUsage: {
        parameters: {
            query?: {
                /** @description rows of a page; all rows when left out */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description first day in UTC, such as 2026-01-31; 29 days before to when left out */
                from?: string;
                /** @description last day in UTC, included; today when left out */
                to?: string;
                /** @description what a row stands for */
                by?: "day" | "model" | "agent" | "key" | "tool";
                /** @description one tenant; without it an admin sees all */
                tenant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                    "text/csv": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description who: the name of a key, local, agent:<name> or job:<id> */
                actor?: string;
                /** @description what, such as key.create */
                action?: string;
                /** @description id or name of the thing */
                target?: string;
                /** @description UTC time or day, included */
                from?: string;
                /** @description UTC time, excluded, or day, included */
                to?: string;
                /** @description one tenant; without it an admin sees all */
                tenant?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditRow"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                    "text/csv": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    exportData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One thing a line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    checkAlive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alive"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    checkReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            /** @description `draining`: The gateway is stopping and takes no new runs. `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Info"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: {
                /** @description language of the summaries and descriptions */
                lang?: "en" | "zh-CN";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document, OpenAPI 3.1 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    openErrorsPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    openDocsPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": unknown;
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    runAguiAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
            };
            path: {
                agent: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the conversation: a session belongs to it; the id of a session is its own thread */
                    threadId: string;
                    /** @description the client's name of the run */
                    runId: string;
                    /** @description the whole conversation; a known thread takes the new messages alone */
                    messages: ({
                        id: string;
                        /** @description user, assistant, tool, system or developer; messages of other roles are ignored */
                        role: string;
                        /** @description a text, or a list of parts: text, and for users image with a source of the type data or url */
                        content?: unknown;
                        /** @description calls of an assistant message */
                        toolCalls?: unknown;
                        /** @description the call that a tool message answers */
                        toolCallId?: unknown;
                    } & {
                        [key: string]: unknown;
                    })[];
                    /** @description functions of the client: their calls come back, the client runs them */
                    tools?: ({
                        name: string;
                        description?: string;
                        parameters?: unknown;
                    } & {
                        [key: string]: unknown;
                    })[];
                    /** @description what the agent should know */
                    context?: ({
                        description: string;
                        value: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    /** @description the state of the application, shown to the agent */
                    state?: unknown;
                    /** @description clarify: "interrupt" ends a run that asks with an interrupt; other fields are ignored */
                    forwardedProps?: unknown;
                    /** @description the answer to an interrupt */
                    resume?: ({
                        interruptId: string;
                        status: "resolved" | "cancelled";
                        /** @description the answer: a text, or an object with the field answer */
                        payload?: unknown;
                    } & {
                        [key: string]: unknown;
                    })[];
                    /** @description the version that the client speaks; absent before 1.0 */
                    protocolVersion?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The events of the run; an error after the first event is RUN_ERROR */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. `clarification_closed`: The question is no longer open. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `draining`: The gateway is stopping and takes no new runs. `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listMcpServers: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["McpServer"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    reconnectMcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServer"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    openMcpStream: {
        parameters: {
            query?: never;
            header?: {
                /** @description the session; left out with initialize alone */
                "mcp-session-id"?: string;
                /** @description the version that initialize has agreed on */
                "mcp-protocol-version"?: string;
                /** @description the last event that the client has */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Messages as server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    sendMcpMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description the session; left out with initialize alone */
                "mcp-session-id"?: string;
                /** @description the version that initialize has agreed on */
                "mcp-protocol-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    jsonrpc: "2.0";
                    id?: string | number;
                    method?: string;
                    params?: {
                        [key: string]: unknown;
                    };
                    result?: {
                        [key: string]: unknown;
                    };
                    error?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The messages of the gateway about the request; the last one is its answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                    "application/json": unknown;
                };
            };
            /** @description A notification or an answer is accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `draining`: The gateway is stopping and takes no new runs. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    endMcpSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description the session; left out with initialize alone */
                "mcp-session-id"?: string;
                /** @description the version that initialize has agreed on */
                "mcp-protocol-version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description the session to continue: it has the earlier messages; the answer names its session in the same header */
                "x-session-id"?: string;
                /** @description chunks with the field neta carry reasoning, tool progress and the plan */
                "x-neta-events"?: "true";
                /** @description the same key with the same body gives the same run */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description name of an agent, or agent@model with a model of models.yaml */
                    model: string;
                    /** @description the whole conversation; with x-session-id only those after the last assistant message count */
                    messages: ({
                        /** @description system, developer, user, assistant, tool or function */
                        role: string;
                        /** @description a text, or a list of parts: text, and for users image_url with a data URL or an https address */
                        content?: unknown;
                        /** @description calls of an assistant message */
                        tool_calls?: unknown;
                        /** @description the call that a tool message answers */
                        tool_call_id?: unknown;
                    } & {
                        [key: string]: unknown;
                    })[];
                    stream?: boolean;
                    stream_options?: {
                        /** @description a last chunk has the usage */
                        include_usage?: boolean | null;
                    };
                    temperature?: number;
                    top_p?: number;
                    max_tokens?: number;
                    /** @description most tokens of one answer of the model */
                    max_completion_tokens?: number;
                    stop?: string | string[];
                    seed?: number;
                    /** @description passed to the model */
                    presence_penalty?: number;
                    /** @description passed to the model */
                    frequency_penalty?: number;
                    /** @description passed to the model */
                    logit_bias?: {
                        [key: string]: number;
                    };
                    /** @description passed to the model */
                    verbosity?: string;
                    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                    /** @description passed to the model */
                    response_format?: {
                        type: "text" | "json_object" | "json_schema";
                    };
                    /** @description functions of the caller: their calls come back, the caller runs them */
                    tools?: {
                        /** @constant */
                        type: "function";
                        function: {
                            name: string;
                            description?: string | null;
                            parameters?: {
                                [key: string]: unknown;
                            } | null;
                            strict?: boolean | null;
                        };
                    }[];
                    tool_choice?: ("auto" | "none" | "required") | {
                        /** @constant */
                        type: "function";
                        function: {
                            name: string;
                        };
                    };
                    parallel_tool_calls?: boolean;
                    /** @description the older form of tools; calls come back as function_call */
                    functions?: unknown;
                    /** @description the older form of tool_choice */
                    function_call?: unknown;
                    /** @description 1, the only number of answers */
                    n?: number;
                    /** @description false */
                    logprobs?: boolean;
                    modalities?: string[];
                    /** @description kept with the run as metadata */
                    user?: string;
                    /** @description kept with the run */
                    metadata?: {
                        [key: string]: unknown;
                    };
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer; with stream: true its chunks as server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatCompletion"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. `clarification_closed`: The question is no longer open. `run_cancelled`: The run was cancelled. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `draining`: The gateway is stopping and takes no new runs. `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same body gives the same run; the answer then carries Idempotency-Replayed: true */
                "idempotency-key"?: string;
                /** @description respond-async: answer 202 at once; wait=N: answer 202 when the run has not ended after N seconds */
                prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description a text, or items: message, function_call, function_call_output, reasoning (ignored), item_reference */
                    input: string | {
                        [key: string]: unknown;
                    }[];
                    /** @description name of an agent; default when left out */
                    model?: string;
                    /** @description a system message for this response alone */
                    instructions?: string;
                    /** @description the response to continue */
                    previous_response_id?: string;
                    stream?: boolean;
                    /** @description answer at once; the response goes on without its caller */
                    background?: boolean;
                    /** @description false: the response cannot be read again and is deleted some minutes after its end */
                    store?: boolean;
                    /** @description functions of the caller; the agent has its own tools besides */
                    tools?: ({
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    /** @description none, auto, required or one function */
                    tool_choice?: string | {
                        [key: string]: unknown;
                    };
                    parallel_tool_calls?: boolean;
                    temperature?: number;
                    top_p?: number;
                    max_output_tokens?: number;
                    /** @description calls of the tools of the agent */
                    max_tool_calls?: number;
                    reasoning?: {
                        effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh";
                        /** @description present: reasoning comes as summary items */
                        summary?: "auto" | "concise" | "detailed";
                    };
                    text?: {
                        format?: {
                            type: "text" | "json_object" | "json_schema";
                            name?: string;
                            description?: string;
                            schema?: {
                                [key: string]: unknown;
                            };
                            strict?: boolean;
                        };
                        verbosity?: string;
                    };
                    metadata?: {
                        [key: string]: string;
                    };
                    include?: string[];
                    user?: string;
                    truncation?: "auto" | "disabled";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The response, or its events with stream: true */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                    "text/event-stream": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `session_busy`: The session already has a run in progress. `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `draining`: The gateway is stopping and takes no new runs. `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getResponse: {
        parameters: {
            query?: {
                /** @description true: the events */
                stream?: "true" | "false";
                /** @description the last sequence_number that you have */
                starting_after?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response, or its events with stream=true */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                    "text/event-stream": unknown;
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `events_expired`: The events after this cursor are no longer kept. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    deleteResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseDeleted"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    cancelResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Response"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listInputItems: {
        parameters: {
            query?: {
                /** @description items of a page */
                limit?: number;
                /** @description desc when left out */
                order?: "asc" | "desc";
                /** @description last_id of the page before */
                after?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResponseInputItems"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listOpenAiModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiModels"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getOpenAiModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenAiModel"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listMemories: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description words that must all occur; the last one may be the beginning of a word */
                q?: string;
                kind?: "fact" | "preference" | "project" | "other";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Memory"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    saveMemory: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    /** @default fact */
                    kind?: "fact" | "preference" | "project" | "other";
                    /**
                     * @description save it beside a memory that says nearly the same
                     * @default false
                     */
                    force?: boolean;
                };
            };
        };
        responses: {
            /** @description A memory with these words existed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedMemory"];
                };
            };
            /** @description The memory is saved; Location says where */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedMemory"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `quota_exceeded`: A quota is used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    exportMemories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One memory a line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    deleteMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The memory is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    updateMemory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    text?: string;
                    kind?: "fact" | "preference" | "project" | "other";
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Memory"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listSkills: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description adds `active` to each row for this session */
                session?: string;
            };
            header?: {
                /** @description language of labels and descriptions: zh for Chinese, anything else for English */
                "accept-language"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Skill"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getSkill: {
        parameters: {
            query?: never;
            header?: {
                /** @description language of labels and descriptions: zh for Chinese, anything else for English */
                "accept-language"?: string;
            };
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetail"];
                };
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    putSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the whole SKILL.md, front matter included */
                    content: string;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetail"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    deleteSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The skill is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    switchSkill: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SkillDetail"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getSkillFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The answer still has the ETag of If-None-Match */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description exactly one of cron, everyMs and at */
                    schedule: {
                        /** @description five fields: minute, hour, day of month, month, day of week */
                        cron?: string;
                        /** @description time zone of cron, such as Europe/Berlin; that of the gateway when left out */
                        timeZone?: string;
                        /** @description milliseconds, at least 60,000, from the creation of the job on */
                        everyMs?: number;
                        /** @description one time, ISO 8601 with Z or an offset */
                        at?: string;
                    };
                    /** @description the message to the agent, the same at each run */
                    input: string;
                    /** @description default: default */
                    agent?: string;
                    /** @description new (default): a session for each run; same: one for all */
                    session?: "new" | "same";
                    /** @description due times during downtime; run (default): one run for all of them */
                    onMissed?: "run" | "skip";
                    /** @description a due time while a run of the job goes on; skip (default): no run, queue: one run afterwards */
                    onOverlap?: "skip" | "queue";
                    /** @description default: true */
                    enabled?: boolean;
                    /** @description language of the runs */
                    locale?: "en" | "zh-CN";
                };
            };
        };
        responses: {
            /** @description The job exists; Location says where */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `quota_exceeded`: A quota is used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    updateJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description exactly one of cron, everyMs and at */
                    schedule?: {
                        /** @description five fields: minute, hour, day of month, month, day of week */
                        cron?: string;
                        /** @description time zone of cron, such as Europe/Berlin; that of the gateway when left out */
                        timeZone?: string;
                        /** @description milliseconds, at least 60,000, from the creation of the job on */
                        everyMs?: number;
                        /** @description one time, ISO 8601 with Z or an offset */
                        at?: string;
                    };
                    /** @description the message to the agent, the same at each run */
                    input?: string;
                    /** @description default: default */
                    agent?: string;
                    /** @description new (default): a session for each run; same: one for all */
                    session?: "new" | "same";
                    /** @description due times during downtime; run (default): one run for all of them */
                    onMissed?: "run" | "skip";
                    /** @description a due time while a run of the job goes on; skip (default): no run, queue: one run afterwards */
                    onOverlap?: "skip" | "queue";
                    /** @description default: true */
                    enabled?: boolean;
                    /** @description language of the runs */
                    locale?: "en" | "zh-CN";
                };
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    runJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run is accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobRunStarted"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: Too many requests. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `draining`: The gateway is stopping and takes no new runs. `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listJobRuns: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["JobRun"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description the same key with the same request makes nothing twice: the answer names what the first one made, with Idempotency-Replayed: true */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description http or https address */
                    url: string;
                    /** @description default: all */
                    events?: ("run.completed" | "run.failed" | "run.cancelled" | "run.waiting" | "budget.threshold")[];
                    /** @description whsec_ and 24 to 64 bytes in base64; a new one when left out */
                    secret?: string;
                };
            };
        };
        responses: {
            /** @description The webhook exists; its secret is shown only here */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_mismatch`: The same key was used before with another request. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `too_large`: The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type`: Send JSON with content-type application/json. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `quota_exceeded`: A quota is used up. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `store_unavailable`: The store cannot be written now; nothing was accepted. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description rows of a page; a page ends earlier when it has 1 MiB */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery is pending */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    searchMessages: {
        parameters: {
            query: {
                /** @description words in any language; the last one may be the beginning of a word; words in "quotes" stand side by side */
                q: string;
                /** @description rows of a page */
                limit?: number;
                /** @description nextCursor of the page before */
                cursor?: string;
                /** @description finds messages from this time on, ISO 8601 in UTC */
                since?: string;
                /** @description searches this session only; without it, sessions of crew members are left out */
                sessionId?: string;
                role?: "user" | "assistant";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FoundMessage"][];
                        nextCursor?: string;
                        hasMore: boolean;
                    };
                };
            };
            /** @description `invalid_request`: The request is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
    readMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text format of Prometheus */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            /** @description `unauthenticated`: Send a valid API key as a bearer token. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: This is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Error"];
                };
            };
            "4XX": components["responses"]["Refused"];
            default: components["responses"]["Failed"];
        };
    };
}
