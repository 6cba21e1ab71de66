"""Drives Jupyter kernels for programs in other languages: one JSON object a line on standard input and output.

A request is {"id": n, "op": …}; its answer is {"id": n, "ok": true, …} or {"id": n, "ok": false, "error": text}. Requests
work side by side, so that a running cell can be interrupted. Operations:

  start      {kernel_name, cwd, env}       -> {kernel}           starts a kernel and waits until it is ready
  execute    {kernel, code, timeout?}      -> {status, outputs, execution_count, error}
             status: ok, error, timeout (the cell still runs), died (the process ended), restarted
  interrupt  {kernel}                      -> {}                 what the Stop button does: SIGINT by default
  restart    {kernel, now}                 -> {}
  alive      {kernel}                      -> {alive}
  shutdown   {kernel}                      -> {}

Outputs are those of the notebook format. While they come in, events say so: {"event": "output", "id": n, "index": i,
"output": …} for a new or changed one of request n (also long after its answer), {"event": "clear", "id": n}.

The Deno kernel says that it is idle before all output of a cell has left (Deno 2.9): a cell is done here when it is idle
and nothing more has come for QUIET seconds. When standard input ends, all kernels are shut down.
"""
import asyncio
import json
import os
import signal
import sys
import threading
import time

from jupyter_client.manager import AsyncKernelManager

QUIET = 0.15
READY_TIMEOUT = 60


class Execution:
    """What came of one request to execute."""

    def __init__(self, request):
        self.request = request
        self.outputs = []
        self.clear_next = False
        self.last = time.monotonic()
        self.idle = asyncio.Event()
        self.reply = asyncio.get_running_loop().create_future()

    async def done(self):
        reply = await asyncio.shield(self.reply)
        await self.idle.wait()
        while (left := self.last + QUIET - time.monotonic()) > 0:
            await asyncio.sleep(left)
        return reply

    def end(self, status):
        if not self.reply.done():
            self.reply.set_result({"status": status})
        self.idle.set()


class Kernel:
    def __init__(self, say, name):
        self.say = say
        self.manager = AsyncKernelManager(kernel_name=name)
        self.client = None
        self.tasks = []
        self.executions = {}
        self.displays = {}

    async def start(self, cwd, env):
        # What the kernel's process itself prints must not get between the answers.
        await self.manager.start_kernel(cwd=cwd, env={**os.environ, **env}, stdout=sys.stderr, stderr=sys.stderr)
        await self.connect()

    async def connect(self):
        self.client = self.manager.client()
        self.client.start_channels()
        await self.client.wait_for_ready(timeout=READY_TIMEOUT)
        self.tasks = [asyncio.create_task(work()) for work in (self.read_iopub, self.read_shell, self.watch)]

    async def disconnect(self, status):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.client.stop_channels()
        for execution in self.executions.values():
            execution.end(status)
        self.executions = {}
        self.displays = {}

    async def restart(self, now):
        await self.disconnect("restarted")
        await self.manager.restart_kernel(now=now)
        await self.connect()

    async def shutdown(self):
        await self.disconnect("died")
        await self.manager.shutdown_kernel(now=not await self.manager.is_alive())
        self.manager.cleanup_resources()

    async def execute(self, request, code, timeout):
        message = self.client.execute(code, allow_stdin=False, stop_on_error=False)
        execution = self.executions[message] = Execution(request)
        try:
            reply = await asyncio.wait_for(execution.done(), timeout)
        except asyncio.TimeoutError:
            reply = {"status": "timeout"}
        error = None
        if reply["status"] == "error":
            error = {key: reply.get(key) for key in ("ename", "evalue", "traceback")}
        return {
            "status": reply["status"],
            "outputs": execution.outputs,
            "execution_count": reply.get("execution_count"),
            "error": error,
        }

    async def read_shell(self):
        while True:
            message = await self.client.shell_channel.get_msg(timeout=None)
            execution = self.executions.get(message["parent_header"].get("msg_id"))
            if execution and message["msg_type"] == "execute_reply" and not execution.reply.done():
                execution.reply.set_result(message["content"])

    async def read_iopub(self):
        while True:
            message = await self.client.iopub_channel.get_msg(timeout=None)
            execution = self.executions.get(message["parent_header"].get("msg_id"))
            if execution is None:
                continue
            execution.last = time.monotonic()
            self.take(execution, message["msg_type"], message["content"])

    def take(self, execution, kind, content):
        if kind == "status":
            if content["execution_state"] == "idle":
                execution.idle.set()
        elif kind == "clear_output":
            if content.get("wait"):
                execution.clear_next = True
            else:
                self.clear(execution)
        elif kind == "update_display_data":
            self.update(content)
        elif kind in ("stream", "display_data", "execute_result", "error"):
            if execution.clear_next:
                self.clear(execution)
            self.add(execution, kind, content)

    def add(self, execution, kind, content):
        outputs = execution.outputs
        last = outputs[-1] if outputs else None
        if kind == "stream" and last and last["output_type"] == "stream" and last["name"] == content["name"]:
            last["text"] += content["text"]
        elif kind == "stream":
            outputs.append({"output_type": kind, "name": content["name"], "text": content["text"]})
        elif kind == "error":
            outputs.append({"output_type": kind, **{k: content[k] for k in ("ename", "evalue", "traceback")}})
        else:
            output = {"output_type": kind, "data": content["data"], "metadata": content.get("metadata") or {}}
            if kind == "execute_result":
                output["execution_count"] = content.get("execution_count")
            outputs.append(output)
            display = (content.get("transient") or {}).get("display_id")
            if display is not None:
                self.displays.setdefault(display, []).append((execution, output))
        self.tell(execution, len(outputs) - 1)

    def update(self, content):
        display = (content.get("transient") or {}).get("display_id")
        for execution, output in self.displays.get(display, []):
            output["data"] = content["data"]
            output["metadata"] = content.get("metadata") or {}
            for index, shown in enumerate(execution.outputs):
                if shown is output:
                    self.tell(execution, index)

    def clear(self, execution):
        execution.clear_next = False
        execution.outputs.clear()
        self.say({"event": "clear", "id": execution.request})

    def tell(self, execution, index):
        self.say({"event": "output", "id": execution.request, "index": index, "output": execution.outputs[index]})

    async def watch(self):
        while True:
            await asyncio.sleep(0.2)
            if not await self.manager.is_alive():
                for execution in self.executions.values():
                    execution.end("died")


class Driver:
    def __init__(self, out):
        self.out = out
        self.kernels = {}
        self.count = 0

    def say(self, message):
        self.out.write(json.dumps(message, default=str) + "\n")
        self.out.flush()

    async def answer(self, request):
        try:
            done = await self.do(request)
            self.say({"id": request["id"], "ok": True, **done})
        except Exception as error:
            self.say({"id": request["id"], "ok": False, "error": f"{type(error).__name__}: {error}"})

    async def do(self, request):
        op = request["op"]
        if op == "start":
            kernel = Kernel(self.say, request["kernel_name"])
            self.count += 1
            number = self.count
            self.kernels[number] = kernel
            try:
                await kernel.start(request["cwd"], request["env"])
            except BaseException:
                await kernel.manager.shutdown_kernel(now=True)
                del self.kernels[number]
                raise
            return {"kernel": number}
        kernel = self.kernels[request["kernel"]]
        if op == "execute":
            return await kernel.execute(request["id"], request["code"], request.get("timeout"))
        if op == "interrupt":
            await kernel.manager.interrupt_kernel()
        elif op == "restart":
            await kernel.restart(request["now"])
        elif op == "alive":
            return {"alive": await kernel.manager.is_alive()}
        elif op == "shutdown":
            del self.kernels[request["kernel"]]
            await kernel.shutdown()
        else:
            raise ValueError(f"unknown operation {op}")
        return {}

    async def serve(self, lines):
        running = set()
        while (line := await lines.get()) is not None:
            task = asyncio.create_task(self.answer(json.loads(line)))
            running.add(task)
            task.add_done_callback(running.discard)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await asyncio.gather(*(kernel.shutdown() for kernel in self.kernels.values()), return_exceptions=True)


async def main(out):
    lines = asyncio.Queue()
    loop = asyncio.get_running_loop()

    # A thread, because an event loop can't read standard input everywhere.
    def read():
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    try:
        loop.add_signal_handler(signal.SIGTERM, lambda: lines.put_nowait(None))
    except NotImplementedError:
        pass
    await Driver(out).serve(lines)


if __name__ == "__main__":
    # Ctrl+C of a terminal reaches the whole group: whoever started this decides what it means. It is not set to be ignored,
    # since kernels would inherit that.
    signal.signal(signal.SIGINT, lambda *_: None)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdin.reconfigure(encoding="utf-8")
    if sys.platform == "win32":
        asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())
    asyncio.run(main(answers))
