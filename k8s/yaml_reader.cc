#include "k8s/yaml_reader.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "k8s/document_builder.h"
#include "k8s/utf8.h"
#include "k8s/yaml_scalar.h"
#include "yaml-cpp/anchor.h"
#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/mark.h"
#include "yaml-cpp/parser.h"

namespace gangpack::k8s {
namespace {

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr absl::string_view kMergeTag = "tag:yaml.org,2002:merge";

int LineOf(const YAML::Mark& mark) { return std::max(mark.line, 0) + 1; }

// The events of YAML::Parser, passed on to the builder. The parser offers no way to stop it without
// an exception, so after a refusal all further events are ignored.
class YamlHandler : public YAML::EventHandler {
 public:
  YamlHandler(absl::string_view text, DocumentBuilder* builder) : text_(text), builder_(builder) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    // What no document can begin with, such as `}`, yaml-cpp takes for an empty document, and for
    // the next one as well, without end.
    if (mark.pos == last_start_) {
      builder_->Refuse(LineOf(mark), "bad YAML: text outside of any value, expected a document");
    }
    if (last_start_ >= 0 && !IsSeparated(static_cast<size_t>(mark.pos))) {
      builder_->Refuse(LineOf(mark),
                       "bad YAML: a value after the end of the document, expected "
                       "a line `---` before it");
    }
    last_start_ = mark.pos;
    anchors_.clear();
    aliased_values_ = 0;
  }
  void OnDocumentEnd() override {}

  // Whether what was refused is a key that is none.
  bool refused_key() const { return refused_key_; }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (builder_->refused()) return;
    OnResolved(YamlScalar(), LineOf(mark), anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    if (builder_->refused()) return;
    if (builder_->wants_key() && text == "<<" && (tag == "?" || tag == kMergeTag)) {
      open_.back().merging = true;
      builder_->Key("<<", LineOf(mark));
      return;
    }
    const absl::StatusOr<YamlScalar> scalar = ResolveYamlScalar(tag, text);
    if (!scalar.ok()) {
      builder_->Refuse(LineOf(mark), std::string(scalar.status().message()));
      return;
    }
    OnResolved(*scalar, LineOf(mark), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (builder_->refused()) return;
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end()) {
      builder_->Refuse(LineOf(mark),
                       "the alias stands inside its own anchor, expected a finished value");
      return;
    }
    aliased_values_ += it->second.values;
    values_ += it->second.values;
    if (aliased_values_ > kMaxAliasedValues) {
      builder_->Refuse(LineOf(mark), absl::StrCat("too many aliases, expected them to stand for at "
                                                  "most ",
                                                  kMaxAliasedValues, " values in one document"));
      return;
    }
    if (builder_->wants_key()) {
      if (it->second.as_key.empty()) return RefuseKey(LineOf(mark));
      builder_->Key(it->second.as_key, LineOf(mark));
      return;
    }
    builder_->Add(it->second.value);
    AfterValue();
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    if (!Open(LineOf(mark), anchor)) return;
    builder_->StartList(LineOf(mark));
  }
  void OnSequenceEnd() override {
    if (builder_->refused() || !builder_->EndList()) return;
    Close();
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    if (!Open(LineOf(mark), anchor)) return;
    builder_->StartMap(LineOf(mark));
  }
  void OnMapEnd() override {
    if (builder_->refused() || !builder_->EndMap()) return;
    Close();
  }

 private:
  struct Anchored {
    Value value;
    int64_t values;            // In the whole tree below it, aliases followed.
    absl::string_view as_key;  // Empty when it cannot be a key.
  };
  struct OpenThing {
    YAML::anchor_t anchor;
    int64_t values_before;
    bool merging;  // Its next value belongs to `<<`.
  };

  // Whether a document that begins there, and is not the first, begins with `---` or follows a line
  // `...`; comments and blanks may stand between. yaml-cpp asks for neither.
  bool IsSeparated(size_t start) const {
    if (start >= text_.size()) return true;
    const absl::string_view first = text_.substr(start, 3);
    if (first == "---" || first == "...") return true;
    absl::string_view before = text_.substr(0, start);
    while (!before.empty()) {
      const size_t line_begin = before.find_last_of('\n') + 1;  // 0 where there is none.
      const absl::string_view line = absl::StripAsciiWhitespace(before.substr(line_begin));
      if (line.substr(0, 3) == "...") return true;
      if (!line.empty() && line[0] != '#') return false;
      before = before.substr(0, line_begin == 0 ? 0 : line_begin - 1);
    }
    return false;
  }

  void OnResolved(const YamlScalar& scalar, int line, YAML::anchor_t anchor) {
    ++values_;
    const bool is_key = builder_->wants_key();
    if (is_key && scalar.kind == ValueKind::kNull) return RefuseKey(line);
    const absl::string_view as_key =
        is_key || anchor != 0 ? builder_->arena().CopyText(scalar.as_key) : absl::string_view();
    if (!is_key && scalar.kind == ValueKind::kNumber && scalar.text.empty()) {
      builder_->Refuse(line, absl::StrCat("`", scalar.as_key, "`, expected a finite number"));
      return;
    }
    const Value value = is_key && anchor == 0 ? Value() : ToValue(scalar, line);
    if (anchor != 0) anchors_[anchor] = {value, 1, as_key};
    if (is_key) {
      builder_->Key(as_key, line);
    } else {
      builder_->Add(value);
      AfterValue();
    }
  }

  Value ToValue(const YamlScalar& scalar, int line) {
    switch (scalar.kind) {
      case ValueKind::kBool:
        return Value::Bool(scalar.bool_value, line);
      case ValueKind::kNumber:
        return Value::Number(builder_->arena().CopyText(scalar.text), line);
      case ValueKind::kString:
        return Value::String(builder_->arena().CopyText(scalar.text), line);
      default:
        return Value::Null(line);
    }
  }

  bool Open(int line, YAML::anchor_t anchor) {
    if (builder_->refused()) return false;
    if (builder_->wants_key()) {
      RefuseKey(line);
      return false;
    }
    open_.push_back({anchor, values_, /*merging=*/false});
    ++values_;
    return true;
  }

  void Close() {
    const OpenThing closed = open_.back();
    open_.pop_back();
    if (closed.anchor != 0) {
      anchors_[closed.anchor] = {builder_->last(), values_ - closed.values_before, {}};
    }
    AfterValue();
  }

  // A value is complete; when it belongs to `<<` its members replace it.
  void AfterValue() {
    if (open_.empty() || !open_.back().merging || builder_->refused()) return;
    open_.back().merging = false;
    const Value source = builder_->RemoveLastMember();
    if (source.kind() == ValueKind::kMap) {
      builder_->Merge(source.members());
      return;
    }
    // Of several sources the first has the last word.
    const absl::Span<const Value> sources = source.items();
    bool all_maps = source.kind() == ValueKind::kList;
    for (const Value& item : sources) all_maps &= item.kind() == ValueKind::kMap;
    if (!all_maps) {
      builder_->Refuse(source.line(), absl::StrCat("`<<` merges ", KindName(source.kind()),
                                                   ", expected an object or a list of objects"));
      return;
    }
    for (auto it = sources.rbegin(); it != sources.rend(); ++it) builder_->Merge(it->members());
  }

  void RefuseKey(int line) {
    refused_key_ = true;
    builder_->Refuse(line, "bad key, expected a string, a number or a boolean");
  }

  absl::string_view text_;
  DocumentBuilder* builder_;
  std::vector<OpenThing> open_;
  absl::flat_hash_map<YAML::anchor_t, Anchored> anchors_;
  int64_t values_ = 0;
  int64_t aliased_values_ = 0;
  int last_start_ = -1;  // Of the document before.
  bool refused_key_ = false;
};

absl::Status Refusal(const std::string& file, int line, std::string message) {
  return absl::InvalidArgumentError(Fault{file, line, "", std::move(message)}.ToString());
}

// The offset of the first control character that YAML forbids (YAML 1.2, c-printable), in UTF-8.
std::optional<size_t> FindForbidden(absl::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c)) && c != '\t' && c != '\n' && c != '\r') {
      return i;
    }
  }
  return std::nullopt;
}

// At the end of the text yaml-cpp forgives what it refuses elsewhere: a quoted scalar without its
// quote after a line break, a last line `key` without a colon. With a comment behind them it does
// not, and the comment is harmless.
void EndWithComment(std::string* text) {
  text->append(!text->empty() && text->back() == '\n' ? "#" : "\n#");
}

}  // namespace

absl::StatusOr<Documents> ReadYaml(TextSource source) {
  if (source.text.size() > kMaxTextBytes) {
    return Refusal(
        source.file, 1,
        absl::StrCat("text too large, expected at most ", kMaxTextBytes, " bytes in one file"));
  }
  if (const std::optional<size_t> bad = FindInvalidUtf8(source.text)) {
    return Refusal(source.file, LineOfOffset(source.text, *bad),
                   "invalid byte, expected UTF-8 text");
  }
  if (const std::optional<size_t> bad = FindForbidden(source.text)) {
    return Refusal(source.file, LineOfOffset(source.text, *bad),
                   absl::StrCat("control character ", OneLine(source.text.substr(*bad, 1)),
                                ", expected printable text"));
  }
  DocumentBuilder builder(source.file);
  // yaml-cpp counts positions from behind the mark.
  if (absl::StartsWith(source.text, kByteOrderMark)) source.text.erase(0, kByteOrderMark.size());
  const size_t size = source.text.size();
  EndWithComment(&source.text);
  YamlHandler handler(source.text, &builder);
  std::istringstream stream(source.text);
  try {
    YAML::Parser parser(stream);
    while (!builder.refused() && parser.HandleNextDocument(handler)) {
    }
  } catch (const YAML::Exception& error) {
    // What is missing at the end is missing on the last line that was written.
    const int last_line = LineOfOffset(source.text, size > 0 ? size - 1 : 0);
    const int line = std::min(LineOf(error.mark), last_line);
    const std::string message =
        absl::StrCat("bad YAML: ", error.msg, ", expected a well-formed document");
    // What begins with a bracket that is never closed is taken for a key first.
    if (handler.refused_key()) return Refusal(source.file, line, message);
    builder.Refuse(line, message);
  } catch (const std::exception& error) {
    builder.Refuse(1,
                   absl::StrCat("bad YAML: ", error.what(), ", expected a well-formed document"));
  }
  if (builder.refused()) return builder.status();
  return builder.Finish();
}

std::optional<TextFormat> FormatOf(absl::string_view beginning) {
  absl::string_view rest = absl::StripLeadingAsciiWhitespace(beginning);
  if (rest.empty()) return std::nullopt;
  if (rest[0] != '{') return TextFormat::kYaml;
  // `{a: 1}` is YAML; JSON has a quote or nothing after the brace.
  rest = absl::StripLeadingAsciiWhitespace(rest.substr(1));
  if (rest.empty()) return std::nullopt;
  return rest[0] == '"' || rest[0] == '}' ? TextFormat::kJson : TextFormat::kYaml;
}

absl::StatusOr<Documents> ReadYamlOrJson(TextSource source) {
  const bool is_json = FormatOf(source.text) == TextFormat::kJson;
  return is_json ? ReadJson(std::move(source)) : ReadYaml(std::move(source));
}

}  // namespace gangpack::k8s
