-- Policy least-time: SWEB's broker and oracle inside HAProxy. For each request, the node at which it is estimated to be answered
-- first: T = T_data + T_CPU. T_redirection is 0, because the balancer decides before it passes the request on; T_net is the
-- same for all nodes. `wavescope_lab/distribution/least_time.py` explains the same decision. The variable of the environment
-- has: seconds that a unit of data takes to a node that does not have it, seconds for which a slide's data counts as being at a
-- node, then the names of the nodes.

local arguments = {}
for word in os.getenv("WAVESCOPE_LEAST_TIME"):gmatch("%S+") do arguments[#arguments + 1] = word end
local data_seconds, remembered = tonumber(arguments[1]), tonumber(arguments[2])
local FIRST_COST, LEARNT, LEAST_SPEED, MOST_SPEED = 0.005, 0.1, 0.05, 2.0
local LOST_SECONDS = 60 -- a request without an answer for so long is not counted any more
local MOST_SLIDES = 4096 -- of which it is known where they are, for each node

local names, nodes, costs, open, decisions = {}, {}, {}, {}, 0
for i = 3, #arguments do
  names[#names + 1] = arguments[i]
  nodes[arguments[i]] = { work = 0.0, speed = 1.0, up = true, slides = {}, count = 0 }
end

local function now()
  local time = core.now()
  return time.sec + time.usec / 1e6
end

-- The route of a request and how many units of its cost it has.
local function oracle(txn)
  local path = txn.f:path() or "/"
  local slide, rest = path:match("^/api/v1/slides/([^/]+)/v/[^/]+/([%w:-]+)")
  if not rest then return "other", 1, path:match("^/api/v1/slides/([^/]+)") end
  if rest == "region" then
    local query = txn.f:query() or ""
    local width, height = tonumber(query:match("width=(%d+)")) or 512, tonumber(query:match("height=(%d+)")) or 512
    return rest, math.max(1, width * height / 65536), slide
  elseif rest == "blocks:batch" then
    return rest, math.max(1, (tonumber(txn.f:req_hdr("content-length")) or 20) / 20), slide
  end
  return rest, 1, slide
end

local function choose(txn)
  local route, units, slide = oracle(txn)
  local time, best, least = now(), nil, math.huge
  local cost = (costs[route] or FIRST_COST) * units
  for _, name in ipairs(names) do
    local node = nodes[name]
    if node.up then
      local seconds = (node.work + cost) / node.speed
      if slide and (node.slides[slide] or 0) <= time then seconds = seconds + data_seconds * units end
      if seconds < least then best, least = name, seconds end
    end
  end
  if not best then return end -- the balancer chooses
  local node = nodes[best]
  if slide then
    if not node.slides[slide] then node.count = node.count + 1 end
    if node.count > MOST_SLIDES then node.slides, node.count = {}, 1 end
    node.slides[slide] = time + remembered
  end
  node.work = node.work + cost
  decisions = decisions + 1
  local entry = { node = best, cost = cost, expected = node.work, units = units, route = route, at = time, id = decisions }
  open[decisions] = entry
  txn:set_priv(entry)
  txn:set_var("txn.node", best)
end

local function forget(entry)
  open[entry.id] = nil
  local node = nodes[entry.node]
  node.work = math.max(0, node.work - entry.cost)
  return node
end

local function answered(txn)
  local entry = txn:get_priv()
  if not entry or not open[entry.id] then return end
  local node, taken = forget(entry), now() - entry.at
  if entry.expected <= entry.cost * 1.01 then -- it had nothing else to do
    local measured, known = taken * node.speed / entry.units, costs[entry.route]
    costs[entry.route] = known and known + LEARNT * (measured - known) or measured
  elseif taken > 0 then
    local speed = node.speed + LEARNT * (entry.expected / taken - node.speed)
    node.speed = math.min(math.max(speed, LEAST_SPEED), MOST_SPEED)
  end
end

-- Which nodes are up, and which requests will have no answer.
local function watch()
  while true do
    for _, name in ipairs(names) do
      local server = core.backends.nodes and core.backends.nodes.servers[name]
      if server then nodes[name].up = server:get_stats().status:match("^UP") ~= nil end
    end
    local lost = {}
    for _, entry in pairs(open) do
      if now() - entry.at > LOST_SECONDS then lost[#lost + 1] = entry end
    end
    for _, entry in ipairs(lost) do forget(entry) end
    core.msleep(500)
  end
end

local function show(applet)
  for route, seconds in pairs(costs) do applet:send(string.format("cost %s %.6f\n", route, seconds)) end
  for _, name in ipairs(names) do
    applet:send(string.format("node %s %.6f %.3f\n", name, nodes[name].work, nodes[name].speed))
  end
end

core.register_action("least_time", { "http-req" }, choose)
core.register_action("least_time_answered", { "http-res" }, answered)
core.register_task(watch)
core.register_cli({ "show", "estimates" }, "show estimates : learnt costs and speeds of the policy least-time", show)
