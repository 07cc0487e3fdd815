/**
 * A server with a trigger, to be killed. It splits shards of its table from time to time, as the service does
 * when partitions are busy, and goes on until it dies.
 */
const [, , library = "", json = ""] = process.argv;
const { startServer } = await import(library);
const { server: serverOptions, caller, table, splits, splitEveryMs } = JSON.parse(json);

const server = await startServer(serverOptions);
console.log(`ready ${server.url}`);

for (let done = 0; done < splits; ) {
  await new Promise((next) => setTimeout(next, splitEveryMs));
  try {
    const ask = (/** @type {string} */ operation, /** @type {object} */ body) =>
      server.workbench.execute(operation, body, caller);
    const { Streams } = await ask("ListStreams", { TableName: table });
    const { StreamDescription } = await ask("DescribeStream", { StreamArn: Streams[0].StreamArn });
    const open = StreamDescription.Shards.filter(
      (/** @type {{ SequenceNumberRange: { EndingSequenceNumber?: string } }} */ shard) =>
        shard.SequenceNumberRange.EndingSequenceNumber === undefined,
    );
    await server.workbench.splitShard(table, open[done % open.length].ShardId, caller);
    done += 1;
    console.log("split");
  } catch (error) {
    console.error(error);
  }
}
