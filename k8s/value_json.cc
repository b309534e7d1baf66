#include "k8s/value_json.h"

#include "absl/strings/string_view.h"
#include "rapidjson/stringbuffer.h"
#include "rapidjson/writer.h"

namespace gangpack::k8s {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

rapidjson::SizeType SizeOf(absl::string_view text) {
  return static_cast<rapidjson::SizeType>(text.size());
}

void Write(const Value& value, Writer* writer) {
  switch (value.kind()) {
    case ValueKind::kNull:
      writer->Null();
      return;
    case ValueKind::kBool:
      writer->Bool(value.bool_value());
      return;
    case ValueKind::kNumber:
      writer->RawValue(value.text().data(), value.text().size(), rapidjson::kNumberType);
      return;
    case ValueKind::kString:
      writer->String(value.text().data(), SizeOf(value.text()));
      return;
    case ValueKind::kList:
      writer->StartArray();
      for (const Value& item : value.items()) Write(item, writer);
      writer->EndArray();
      return;
    case ValueKind::kMap:
      writer->StartObject();
      for (const Member& member : value.members()) {
        writer->Key(member.key().data(), SizeOf(member.key()));
        Write(member.value, writer);
      }
      writer->EndObject();
      return;
  }
}

}  // namespace

std::string ToJson(const Value& value) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  Write(value, &writer);
  return buffer.GetString();
}

}  // namespace gangpack::k8s
