-- Runs the balancer's script on recorded events, while HAProxy reads its configuration: no request is needed.
local actions, clock = {}, 0
local core = {
  now = function() return { sec = math.floor(clock), usec = (clock - math.floor(clock)) * 1e6 } end,
  register_action = function(name, _, run) actions[name] = run end,
  register_task = function() end,
  register_cli = function(_, _, run) actions.show = run end,
}
assert(loadfile(os.getenv("TEST_SCRIPT"), "t", setmetatable({ core = core }, { __index = _G })))()

local function request(path, query, length)
  return {
    f = { path = function() return path end, query = function() return query end, req_hdr = function() return length end },
    set_priv = function(self, entry) self.entry = entry end,
    get_priv = function(self) return self.entry end,
    set_var = function(self, _, node) self.node = node end,
  }
end

local made, out = {}, assert(io.open(os.getenv("TEST_OUT"), "w"))
for line in io.lines(os.getenv("TEST_EVENTS")) do
  local kind, time, path, query, length = line:match("(%S+) (%S+) (%S+) (%S+) (%S+)")
  clock = tonumber(time)
  if kind == "choose" then
    made[#made + 1] = request(path, query, length)
    actions.least_time(made[#made])
    out:write(made[#made].node, "\n")
  else
    actions.least_time_answered(made[tonumber(path)])
  end
end
actions.show({ send = function(_, text) out:write(text) end })
out:close()
