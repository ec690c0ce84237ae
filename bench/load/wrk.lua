-- Sends the lines of a file repeatedly, one per request. Arguments: file, path, authorization.
local requests = {}
local at = 0

function init(args)
  local headers = { ["Content-Type"] = "application/json" }
  if args[3] and args[3] ~= "" then headers["Authorization"] = args[3] end
  for body in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("POST", args[2], headers, body)
  end
  -- Each run starts at a random line, so that rounds don't begin with the same devices.
  math.randomseed(os.time())
  at = math.random(#requests)
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"errors":%d,"p50Ms":%f,"p99Ms":%f}\n',
    summary.requests, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
