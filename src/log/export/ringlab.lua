-- Shows frames and events of a ringlab capture in Wireshark and tshark.
-- Use: tshark -X lua_script:ringlab.lua -r run.pcapng
-- or put this file into the personal Lua plugins folder (Help, About Wireshark, Folders).

-- Names of the arguments of each type of frame.
local FIELDS = {}

local ringlab = Proto("ringlab", "Token ring lab")

local f = {
  frame = ProtoField.string("ringlab.frame", "Frame"),
  type = ProtoField.string("ringlab.type", "Type"),
  src = ProtoField.uint32("ringlab.src", "Sender"),
  dst = ProtoField.uint32("ringlab.dst", "Destination"),
  argument = ProtoField.string("ringlab.argument", "Argument"),
  epoch = ProtoField.uint64("ringlab.epoch", "Epoch"),
  hop = ProtoField.uint64("ringlab.hop", "Hop"),
  grant = ProtoField.uint64("ringlab.grant", "Grant"),
  election = ProtoField.uint64("ringlab.election", "Election"),
  fcs = ProtoField.string("ringlab.fcs", "Frame check sequence"),
  copied = ProtoField.bool("ringlab.copied", "Copied by a destination"),
  seen = ProtoField.bool("ringlab.seen", "Seen by the active monitor"),
  event = ProtoField.string("ringlab.event", "Event"),
  station = ProtoField.int32("ringlab.station", "Station"),
  words = ProtoField.string("ringlab.words", "In words"),
  field = ProtoField.string("ringlab.field", "Field"),
}
ringlab.fields = f

local SPECIAL = { [253] = "successor", [255] = "all" }

-- An integer of any size that a 64-bit field takes; nil for anything else.
local function whole(text)
  local number = #text <= 15 and text:match("^%d+$") and tonumber(text)
  return number and UInt64.new(number % 4294967296, math.floor(number / 4294967296)) or nil
end

-- Adds the frame's fields to the tree. Returns it in words, nil where the line is not ours.
local function showFrame(line, range, tree)
  local body, fcs, flags = line:match("^%$([^*]*)%*(%x+)(%a*)$")
  if not body then return nil end
  local fields = {}
  for field in (body .. ","):gmatch("([^,]*),") do fields[#fields + 1] = field end
  local kind, src, dst = fields[1], tonumber(fields[2]), tonumber(fields[3])
  if not (src and dst) then return nil end
  local branch = tree:add(ringlab, range)
  branch:add(f.frame, range, line)
  branch:add(f.type, range, kind)
  branch:add(f.src, range, src)
  branch:add(f.dst, range, dst)
  local names = FIELDS[kind] or {}
  local words = { kind }
  if dst ~= 253 then words[#words + 1] = src .. " to " .. (SPECIAL[dst] or dst) end
  local last = ""
  for i = 4, #fields do
    local name = names[i - 3] or last
    if name:sub(-3) == "..." then last = name end
    local label = name:gsub("%.%.%.$", "")
    local text = label == "" and fields[i] or (label .. "=" .. fields[i])
    words[#words + 1] = text
    branch:add(f.argument, range, text)
    local number = whole(fields[i])
    if number and (label == "epoch" or label == "hop" or label == "grant" or label == "election") then
      branch:add(f[label], range, number)
    end
  end
  branch:add(f.fcs, range, fcs)
  branch:add(f.copied, range, flags:find("c", 1, true) ~= nil)
  branch:add(f.seen, range, flags:find("m", 1, true) ~= nil)
  return table.concat(words, " ")
end

-- The line of a frame and where it starts: behind a SNAP header, or in the subvectors 0x70 of a MAC frame.
local function lineOf(tvb)
  if tvb:len() < 23 then return nil end
  if tvb(1, 1):uint() == 0x40 then return tvb:raw(22), 22 end
  local line, start, at = "", nil, 18
  while at + 2 <= tvb:len() do
    local size = tvb(at, 1):uint()
    if size < 2 or at + size > tvb:len() then break end
    if tvb(at + 1, 1):uint() == 0x70 then
      start = start or at + 2
      line = line .. tvb:raw(at + 2, size - 2)
    end
    at = at + size
  end
  return start and line, start
end

function ringlab.dissector(tvb, pinfo, tree)
  local text = tvb():string()
  local words = text:match("^[^\t]*")
  pinfo.cols.protocol = "ringlab"
  pinfo.cols.info = words
  local branch = tree:add(ringlab, tvb())
  branch:add(f.words, tvb(0, #words), words)
  for name, value in text:gmatch("\t([%w]+)=([^\t]*)") do
    if name == "event" then
      branch:add(f.event, tvb(), value)
      pinfo.cols.src = text:match("\tstation=(%-?%d+)") or text:match("\tfrom=(%d+)") or ""
    elseif name == "station" and tonumber(value) then
      branch:add(f.station, tvb(), tonumber(value))
    elseif (name == "epoch" or name == "hop" or name == "grant" or name == "election") and whole(value) then
      branch:add(f[name], tvb(), whole(value))
    else
      branch:add(f.field, tvb(), name .. "=" .. value)
    end
  end
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, ringlab)

local frames = Proto("ringlab_frame", "Token ring lab frame")
local ringAddress = Field.new("tr.dst")
local macVector = Field.new("trmac.mvec")

function frames.dissector(tvb, pinfo, tree)
  if not ringAddress() then return end
  local line, at = lineOf(tvb)
  local words = line and showFrame(line, tvb(at), tree)
  if not words then return end
  if macVector() then
    pinfo.cols.info:append(": " .. words)
  else
    pinfo.cols.protocol = "ringlab"
    pinfo.cols.info = words
  end
end

register_postdissector(frames)
